/** Gives workspaces that cause much work a lower priority. */
export type Fairness = {
  /** Counts a workspace's next chunks and returns their priority. */
  take(workspaceId: string, chunks: number): number
}

const windowMs = 60_000

/** The priority is -log2 of the chunks of the last minute: 0 for the first, -1 after one, about -10 after a thousand. */
export function makeFairness(now: () => number): Fairness {
  let [current, before] = [new Map<string, number>(), new Map<string, number>()]
  let startedAt = now()
  const startWindow = () => {
    const passed = now() - startedAt
    if (passed < windowMs) return
    before = passed < 2 * windowMs ? current : new Map()
    current = new Map()
    startedAt = now()
  }
  return {
    take(workspaceId, chunks) {
      startWindow()
      const share = 1 - Math.min(1, (now() - startedAt) / windowMs)
      const recent = (current.get(workspaceId) ?? 0) + (before.get(workspaceId) ?? 0) * share
      current.set(workspaceId, (current.get(workspaceId) ?? 0) + chunks)
      return -Math.floor(Math.log2(1 + recent)) || 0
    },
  }
}
