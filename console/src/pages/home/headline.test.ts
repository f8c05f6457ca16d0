import { expect, test } from 'vitest'
import { headlineOf, type Summary } from './headline.ts'

function summary(firing: number, failing: number, troubled: number, broken = 0): Summary {
  const counted = (count: number) => ({ count, list: [] })
  return {
    firingAlerts: counted(firing),
    failingResources: counted(failing),
    troubledSources: counted(troubled),
    troubledTriggers: counted(broken),
  }
}

test('the headline names what needs a person, and nothing else', () => {
  expect(headlineOf(summary(2, 1, 0))).toBe('2 alerts are firing. 1 destination is failing.')
  expect(headlineOf(summary(1, 0, 1))).toBe('1 alert is firing. 1 source is in trouble.')
  expect(headlineOf(summary(0, 0, 1, 2))).toBe('2 triggers do not work. 1 source is in trouble.')
  expect(headlineOf(summary(0, 0, 0))).toBe('All quiet. Nothing needs you.')
  expect(headlineOf(summary(1000, 0, 0))).toBe('1,000 alerts are firing.')
})
