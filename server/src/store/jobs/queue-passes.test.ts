import { expect, test } from 'vitest'
import { QueuePasses } from './queue-passes.ts'

/** The seconds at which passes run. Jobs are added at the seconds `workedAt`. */
function passesOf(seconds: number, workedAt: readonly number[]): number[] {
  const passes = new QueuePasses(0)
  return Array.from({ length: seconds }, (_, second) => second).filter((second) => {
    if (workedAt.includes(second)) passes.noteWork(second * 1_000)
    return passes.isDue(second * 1_000)
  })
}

test('passes run while jobs are added and for a while after, then every ten minutes', () => {
  expect(passesOf(1_400, [])).toEqual([600, 1_200])
  expect(passesOf(1_400, [0])).toEqual([30, 60, 90, 120, 150, 750, 1_350])
})

test('a job that is added while the queues are idle starts passes again', () => {
  expect(passesOf(700, [500])).toEqual([500, 530, 560, 590, 620, 650])
})
