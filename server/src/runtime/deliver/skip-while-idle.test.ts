import { expect, test } from 'vitest'
import { skipWhileIdle } from './find-due-deliveries.ts'

/** Repeats a search and returns which of the repeats read the store. */
async function readsOf(repeats: number, { pending = false, wokenBefore = -1, failsAt = -1 } = {}): Promise<number[]> {
  const reads: number[] = []
  let [at, wakeUps] = [0, 0]
  const search = skipWhileIdle(
    async () => {
      reads.push(at)
      if (at === failsAt) throw new Error('the store is down')
      return pending
    },
    () => wakeUps,
  )
  for (at = 0; at < repeats; at++) {
    if (at === wokenBefore) wakeUps += 1
    await search().catch(() => undefined)
  }
  return reads
}

test('only every fifth search reads the store while nothing is pending', async () => {
  expect(await readsOf(11)).toEqual([0, 5, 10])
})

test('every search reads the store while a delivery is pending', async () => {
  expect(await readsOf(4, { pending: true })).toEqual([0, 1, 2, 3])
})

test('the first search after a wake-up of a lane or after a failure reads the store', async () => {
  expect(await readsOf(9, { wokenBefore: 2 })).toEqual([0, 2, 7])
  expect(await readsOf(9, { failsAt: 0 })).toEqual([0, 1, 6])
})
