const firstPauseMs = 5
const lastPauseMs = 100

/**
 * Reads a value again until the condition holds or the time is over, and returns the last value. The pauses grow, so that a long
 * wait leaves the CPU to the work that the test waits for.
 */
export async function lookUntil<T>(
  look: () => T | Promise<T>,
  isSo: (seen: T) => boolean,
  timeoutMs: number,
): Promise<{ isSo: boolean; seen: T }> {
  const endsAt = performance.now() + timeoutMs
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 1.5, lastPauseMs)) {
    const seen = await look()
    if (isSo(seen)) return { isSo: true, seen }
    if (performance.now() > endsAt) return { isSo: false, seen }
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
}

/** Shorter than the time limit of a test, so that the failure shows the last value; long enough for a busy machine. */
export const patienceMs = 100_000
