import { expect, test } from 'vitest'
import { makePressure } from './pressure.ts'

function at(limits: Parameters<typeof makePressure>[0]) {
  let nowMs = 0
  const pressure = makePressure(limits, () => new Date(nowMs))
  const minutes = (count: number) => {
    nowMs += count * 60_000
  }
  return { pressure, minutes }
}

test('without limits every match is evaluated', () => {
  const { pressure } = at({})
  expect(pressure.take('t', 1_000_000)).toEqual({ allowed: 1_000_000, level: 'none' })
  expect(pressure.changes()).toEqual([])
})

test('above the limit only that many matches a minute are evaluated, and all again when there are fewer', () => {
  const { pressure, minutes } = at({ warning: 5, limited: 10 })
  expect(pressure.take('t', 4)).toEqual({ allowed: 4, level: 'none' })
  expect(pressure.take('t', 4)).toEqual({ allowed: 4, level: 'warning' })
  expect(pressure.take('t', 4)).toEqual({ allowed: 2, level: 'limited' })
  expect(pressure.take('t', 4)).toEqual({ allowed: 0, level: 'limited' })
  expect(pressure.take('other', 4)).toEqual({ allowed: 4, level: 'none' })
  expect(pressure.changes()).toEqual([{ triggerId: 't', level: 'limited' }])
  minutes(1)
  expect(pressure.take('t', 4)).toEqual({ allowed: 4, level: 'limited' })
  expect(pressure.changes()).toEqual([])
  minutes(1)
  expect(pressure.take('t', 4)).toEqual({ allowed: 4, level: 'none' })
  expect(pressure.changes()).toEqual([{ triggerId: 't', level: 'none' }])
})

test('a blocked trigger stays blocked until a whole minute is below the limit', () => {
  const { pressure, minutes } = at({ blocked: 10 })
  expect(pressure.take('t', 11)).toEqual({ allowed: 0, level: 'blocked' })
  minutes(1)
  expect(pressure.take('t', 1)).toEqual({ allowed: 0, level: 'blocked' })
  minutes(1)
  expect(pressure.take('t', 1)).toEqual({ allowed: 1, level: 'none' })
  minutes(5)
  expect(pressure.changes()).toEqual([])
})
