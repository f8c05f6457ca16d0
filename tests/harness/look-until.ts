const firstPauseMs = 5
const lastPauseMs = 100

/**
 * Looks again and again until it is so, or until the time is over; answers what was seen last. The pauses grow, so that a long
 * wait leaves the CPU to the work that is waited for.
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

/** Less than a test may take, so that the test fails with what it waited for; enough for a machine that is busy otherwise. */
export const patienceMs = 50_000
