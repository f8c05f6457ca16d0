import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { makeSendSlots } from './send-limits.ts'

const limits = { youngMax: 4, slowMax: 100, perHost: 2, slowAfterMs: 3_600_000 }

/** Asks for a slot for each host and records who got one. */
function makeRequests(changed: Partial<typeof limits> = {}) {
  const slots = makeSendSlots({ ...limits, ...changed })
  const started: string[] = []
  const ends = new Map<string, () => void>()
  const ask = (name: string, host: string) =>
    void Promise.resolve(slots.acquire(host)).then((end) => {
      started.push(name)
      ends.set(name, end)
    })
  const end = async (name: string) => {
    ends.get(name)?.()
    await nextTurn()
  }
  return { started, ask, end }
}

test('one host takes no more slots than its own, and all together no more than the overall limit', async () => {
  const { started, ask, end } = makeRequests()
  for (const name of ['a1', 'a2', 'a3']) ask(name, 'a')
  for (const host of ['b', 'c', 'd']) ask(host, host)
  await nextTurn()
  expect(started).toEqual(['a1', 'a2', 'b', 'c'])
  await end('b')
  expect(started).toEqual(['a1', 'a2', 'b', 'c', 'd'])
  await end('a1')
  expect(started).toEqual(['a1', 'a2', 'b', 'c', 'd', 'a3'])
})

test('hosts get free slots in turns, however many requests wait for one of them', async () => {
  const { started, ask, end } = makeRequests({ youngMax: 1, perHost: 1 })
  for (const name of ['a1', 'a2', 'a3', 'a4']) ask(name, 'a')
  ask('b1', 'b')
  ask('c1', 'c')
  await nextTurn()
  for (const name of ['a1', 'b1', 'c1', 'a2']) await end(name)
  expect(started).toEqual(['a1', 'b1', 'c1', 'a2', 'a3'])
})

test('requests that take long give their slots to others, up to the limit of slow requests', async () => {
  const { started, ask, end } = makeRequests({ youngMax: 2, slowMax: 3, slowAfterMs: 0 })
  for (const host of ['a', 'b', 'c', 'd', 'e', 'f']) ask(host, host)
  await expect.poll(() => started).toEqual(['a', 'b', 'c', 'd', 'e'])
  // Three slow and two young ones are in flight now.
  await end('a')
  await expect.poll(() => started).toEqual(['a', 'b', 'c', 'd', 'e', 'f'])
})
