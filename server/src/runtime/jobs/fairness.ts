/** Whoever causes much work waits behind those who cause little. */
export type Fairness = {
  /** The priority of a workspace's next chunks; they are counted by it. */
  take(workspaceId: string, chunks: number): number
}

const windowMs = 60_000

/** By the chunks of the last minute, in steps of twice as many: 0 for the first, -1 from one on, -10 from a thousand on. */
export function makeFairness(now: () => number): Fairness {
  let [current, before] = [new Map<string, number>(), new Map<string, number>()]
  let startedAt = now()
  const turn = () => {
    const passed = now() - startedAt
    if (passed < windowMs) return
    before = passed < 2 * windowMs ? current : new Map()
    current = new Map()
    startedAt = now()
  }
  return {
    take(workspaceId, chunks) {
      turn()
      const share = 1 - Math.min(1, (now() - startedAt) / windowMs)
      const recent = (current.get(workspaceId) ?? 0) + (before.get(workspaceId) ?? 0) * share
      current.set(workspaceId, (current.get(workspaceId) ?? 0) + chunks)
      return -Math.floor(Math.log2(1 + recent)) || 0
    },
  }
}
