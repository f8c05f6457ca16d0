import { expect, test } from 'vitest'
import { type Values, valuesAround } from './values-around.ts'

const minute = (n: number) => new Date(n * 60_000).toISOString()
const everyMinute = Array.from({ length: 600 }, (_, n) => ({ at: minute(n), value: String(n) }))
const fired = { id: 'fired', at: minute(300), state: 'firing' as const }
const resolved = { id: 'resolved', at: minute(400), state: 'resolved' as const }
const other = { id: 'other', at: minute(10), state: 'firing' as const }
const ends = ({ values }: Values) => [values[0]?.value, values.at(-1)?.value]
const own = new Set(['fired', 'resolved'])

test('the chart shows half as much time before and after the alert as it fired', () => {
  const shown = valuesAround({ values: everyMinute, alerts: [other, fired, resolved] }, own)
  expect(ends(shown)).toEqual(['250', '450'])
  expect(shown.alerts).toEqual([fired, resolved])
})

test('an alert that fires is shown until now, from half an hour before it fired', () => {
  expect(ends(valuesAround({ values: everyMinute, alerts: [fired] }, own))).toEqual(['270', '599'])
})

test('of rare values, ten before and ten after the alert are shown', () => {
  const daily = Array.from({ length: 60 }, (_, n) => ({ at: minute(n * 1440), value: String(n) }))
  const alert = { id: 'fired', at: minute(30 * 1440), state: null }
  expect(ends(valuesAround({ values: daily, alerts: [alert] }, own))).toEqual(['20', '40'])
})
