import { type RouteName, routes } from '@tocsin/contract'
import { expect, test } from 'vitest'
import { laneOf, makeLanes } from './lanes.ts'

test('an account has eight places, and the ninth request waits for one of them', async () => {
  const lanes = makeLanes()
  const places = await Promise.all(Array.from({ length: 8 }, () => lanes.enter('ann', 'usual')))
  let isIn = false
  const ninth = lanes.enter('ann', 'usual').then((leave) => {
    isIn = true
    return leave
  })
  const other = await lanes.enter('bob', 'usual')
  const plan = await lanes.enter('ann', 'stack')
  expect(isIn).toBe(false)
  places[0]?.()
  const leave = await ninth
  for (const each of [...places.slice(1), leave, other, plan]) each()
  await lanes.enter('ann', 'usual')
})

test('a request beyond those that wait is refused, and says when to try again', async () => {
  const lanes = makeLanes()
  const leave = await lanes.enter('ann', 'stack')
  await lanes.enter('ann', 'stack')
  const waiting = Array.from({ length: 16 }, () => lanes.enter('ann', 'stack'))
  await expect(lanes.enter('ann', 'stack')).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 1 })
  leave()
  await waiting[0]
  void lanes.enter('ann', 'stack')
})

test.each([
  ['saveTrigger', 'usual'],
  ['listAlerts', 'usual'],
  ['applyStack', 'stack'],
  ['testTrigger', 'network'],
  ['streamEvents', undefined],
] as [RouteName, string | undefined][])('%s is in the lane %s', (name, lane) => {
  expect(laneOf(routes[name])).toBe(lane)
})
