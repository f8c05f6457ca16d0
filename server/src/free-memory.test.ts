import { expect, test } from 'vitest'
import { BurstWatch } from './free-memory.ts'

const megabyte = 1024 * 1024
const shares: Record<string, number> = { quiet: 0.02, busy: 0.15, full: 1.9 }

/** Each interval of five seconds is a share of a core and the megabytes of memory at its end. Names those with a collection. */
function watchMemory() {
  const watch = new BurstWatch()
  return (intervals: string[], fromMs = 0) =>
    intervals.filter((interval, at) => {
      const [share = '', megabytes] = interval.split(' ')
      return watch.leftMemory(shares[share] ?? 0, Number(megabytes) * megabyte, fromMs + 5_000 * at)
    })
}

test('memory is freed once after each burst, not while it lasts, and at most every 30 s', () => {
  const collectionsOf = watchMemory()
  expect(collectionsOf(['quiet 130', 'full 300', 'busy 330', 'quiet 331', 'quiet 140'])).toEqual(['quiet 331'])
  const second = ['full 300', 'quiet 301', 'quiet 302', 'quiet 303', 'quiet 304', 'quiet 140']
  expect(collectionsOf(second, 25_000)).toEqual(['quiet 304'])
})

test('a burst that left little memory frees nothing, and what it left counts after the next one', () => {
  const collectionsOf = watchMemory()
  expect(collectionsOf(['quiet 130', 'full 165', 'quiet 165', 'quiet 175'])).toEqual([])
  expect(collectionsOf(['full 172', 'quiet 172'], 20_000)).toEqual(['quiet 172'])
})

test('after a collection, memory that stays in use is not freed again', () => {
  const collectionsOf = watchMemory()
  expect(collectionsOf(['quiet 130', 'full 300', 'quiet 300', 'quiet 280'])).toEqual(['quiet 300'])
  expect(collectionsOf(['full 310', 'quiet 310'], 60_000)).toEqual([])
})

test('memory is freed after a burst that began with the start', () => {
  const collectionsOf = watchMemory()
  expect(collectionsOf(['full 330', 'full 330', 'quiet 331', 'quiet 160'])).toEqual(['quiet 331'])
})
