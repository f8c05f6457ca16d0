/** While nothing is pending and no lane is woken, only every fifth search reads the store. */
const skippedMax = 4

/** Skips searches after one that found nothing pending, until a lane is woken. `search` returns true if anything is pending. */
export function skipWhileIdle(search: () => Promise<boolean>, wakeUpsOf: () => number): () => Promise<void> {
  let wakeUps = wakeUpsOf()
  let skipsLeft = 0
  return async () => {
    const isQuiet = wakeUps === wakeUpsOf()
    wakeUps = wakeUpsOf()
    if (isQuiet && skipsLeft > 0) {
      skipsLeft -= 1
      return
    }
    // After a search that failed, the next one is not skipped.
    skipsLeft = 0
    if (!(await search())) skipsLeft = skippedMax
  }
}
