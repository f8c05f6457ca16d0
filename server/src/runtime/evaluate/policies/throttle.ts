/** When there were alerts of one key: no two of them closer than the period, in whatever order they are found. */
export type Throttle = { mayPass(atMs: number, id: string): boolean; pass(atMs: number, id: string): void }

export function makeThrottle(perMs: number, stood: readonly { id: string; atMs: number }[]): Throttle {
  const passed = [...stood]
  return {
    // The same alert again is no second one.
    mayPass: (atMs, id) => passed.every((one) => one.id === id || Math.abs(one.atMs - atMs) >= perMs),
    pass: (atMs, id) => void passed.push({ id, atMs }),
  }
}
