/** Keeps the alerts of one key at least one period apart, in whatever order their items are processed. */
export type Throttle = { mayPass(atMs: number, id: string): boolean; pass(atMs: number, id: string): void }

export function makeThrottle(perMs: number, earlier: readonly { id: string; atMs: number }[]): Throttle {
  const passed = [...earlier]
  return {
    // A repeated evaluation makes the same alert again, which must pass.
    mayPass: (atMs, id) => passed.every((alert) => alert.id === id || Math.abs(alert.atMs - atMs) >= perMs),
    pass: (atMs, id) => void passed.push({ id, atMs }),
  }
}
