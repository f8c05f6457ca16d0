import { expect, test } from 'vitest'
import { BurstWatch } from './free-memory.ts'

const megabyte = 1024 * 1024
type Interval = [share: number, megabytes: number]

function watchMemory() {
  const watch = new BurstWatch()
  return (intervals: Interval[], fromMs: number) =>
    intervals.map(([share, megabytes], at) => watch.leftMemory(share, megabytes * megabyte, fromMs + 5_000 * at))
}

test('memory is freed once after each burst, not while it lasts, and at most every 30 s', () => {
  const leftMemory = watchMemory()
  const first: Interval[] = [
    [0.01, 130],
    [0.9, 300],
    [0.15, 330],
    [0.02, 330],
    [0.02, 140],
  ]
  expect(leftMemory(first, 0)).toEqual([false, false, false, true, false])
  const second: Interval[] = [
    [0.9, 300],
    [0.02, 300],
    [0.02, 300],
    [0.02, 300],
    [0.02, 300],
    [0.02, 140],
  ]
  expect(leftMemory(second, 25_000)).toEqual([false, false, false, false, true, false])
})

test('a burst that left little memory frees nothing, and what it left counts after the next one', () => {
  const leftMemory = watchMemory()
  const small: Interval[] = [
    [0.01, 130],
    [0.9, 165],
    [0.02, 165],
    [0.02, 175],
  ]
  expect(leftMemory(small, 0)).toEqual([false, false, false, false])
  expect(
    leftMemory(
      [
        [0.9, 172],
        [0.02, 172],
      ],
      20_000,
    ),
  ).toEqual([false, true])
})

test('after a collection, memory that stays in use is not freed again', () => {
  const leftMemory = watchMemory()
  const kept: Interval[] = [
    [0.01, 130],
    [0.9, 300],
    [0.02, 300],
    [0.02, 280],
  ]
  expect(leftMemory(kept, 0)).toEqual([false, false, true, false])
  expect(
    leftMemory(
      [
        [0.9, 310],
        [0.02, 310],
      ],
      60_000,
    ),
  ).toEqual([false, false])
})

test('memory is freed after a burst that began with the start', () => {
  const leftMemory = watchMemory()
  const backlog: Interval[] = [
    [0.9, 330],
    [0.9, 330],
    [0.02, 330],
    [0.02, 160],
  ]
  expect(leftMemory(backlog, 0)).toEqual([false, false, true, false])
})
