/** Polls run alone; other reads run beside each other between two polls. */
export type PollTurns = {
  poll(work: () => Promise<void>): Promise<void>
  betweenPolls<T>(work: () => Promise<T>): Promise<T>
}

export function makePollTurns(): PollTurns {
  const reads = new Set<Promise<unknown>>()
  let polling: Promise<void> | undefined
  return {
    async poll(work) {
      while (reads.size > 0) await Promise.allSettled(reads)
      polling = work().finally(() => {
        polling = undefined
      })
      await polling
    },
    async betweenPolls(work) {
      while (polling) await polling.catch(() => undefined)
      const read = work()
      reads.add(read)
      return read.finally(() => reads.delete(read))
    },
  }
}
