import { beforeEach, expect, test } from 'vitest'
import { HeadWait } from './history-run.ts'

let nowMs: number
let wait: HeadWait
const at = (seconds: number, fetched: number, head: number) => {
  nowMs = seconds * 1000
  return wait.mustWait({ fetched, to: 12 }, head)
}

beforeEach(() => {
  wait = new HeadWait(() => nowMs)
})

test('a history that has read the head of its beginning may end', () => {
  expect(at(0, 12, 12)).toBe(false)
  expect(at(1, 13, 13)).toBe(false)
})

test('a history waits for a head that the follower has seen and not applied, however long', () => {
  expect(at(0, 10, 12)).toBe(true)
  expect(at(3_600, 11, 15)).toBe(true)
})

test('a history waits a minute for a head that the follower has not seen, also while other blocks come', () => {
  expect(at(0, 10, 10)).toBe(true)
  expect(at(59, 11, 11)).toBe(true)
  expect(at(60, 11, 11)).toBe(false)
})

test('the minute begins anew after the head was seen', () => {
  expect(at(0, 10, 10)).toBe(true)
  expect(at(50, 10, 12)).toBe(true)
  expect(at(70, 9, 9)).toBe(true)
  expect(at(129, 9, 9)).toBe(true)
  expect(at(130, 9, 9)).toBe(false)
})
