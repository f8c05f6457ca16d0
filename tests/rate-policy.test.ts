import { afterAll, beforeAll, expect, test } from 'vitest'
import { until } from './harness/following.ts'
import { type HistoryFixture, historyFixture } from './harness/histories.ts'
import { rejects } from './harness/rejects.ts'

/** The policy `rate` over blocks of a real node. `rate.test.ts` compares its states with an oracle. */
let fixture: HistoryFixture

beforeAll(async () => {
  fixture = await historyFixture({ ROLE: 'all' })
  await fixture.processed(0)
})
afterAll(() => fixture.close())

test('a rate fires once when a value rose too much within the period, and resolves once when it no longer did', async () => {
  const policy = { type: 'rate', value: 'n', per: '1h', above: '50%' } as const
  const { id } = await fixture.subscribe({ policy })
  const numbers = [100, 120, 151, 190, 150, 149]
  for (const n of numbers) {
    await fixture.emit(n)
    await fixture.processed(await fixture.headNumber())
  }
  const [resolved, fired, ...others] = await until(
    () => fixture.ann.listAlerts({ query: { subscription: id } }),
    (alerts) => alerts.length >= 2,
  )
  expect(others).toEqual([])
  expect([fired, resolved]).toMatchObject([{ state: 'firing' }, { state: 'resolved', resolves: fired?.id }])
  const decided = { type: 'rate', bound: '50%', within: '1h', previous: '100' }
  expect(await fixture.ann.getAlert({ id: fired?.id ?? '' })).toMatchObject({
    output: { raw: { n: 151 } },
    policy: { ...decided, value: '151', changePercent: 51 },
  })
  expect(await fixture.ann.getAlert({ id: resolved?.id ?? '' })).toMatchObject({
    output: { raw: { n: 150 } },
    policy: { ...decided, value: '150', changePercent: 50 },
  })
  const { values } = await fixture.ann.getAlertValues({ id: fired?.id ?? '' })
  expect(values.map(({ value }) => value)).toEqual(expect.arrayContaining(['151', '190', '150']))
  const sent = await until(
    async () => fixture.sentTo(id),
    (all) => all.length === 2,
  )
  expect(sent.map(({ state, raw }) => [state, raw.n])).toEqual([
    ['firing', 151],
    ['resolved', 150],
  ])
})

test('a rate needs a period and one bound, which is negative for a fall', async () => {
  const path = async (policy: object) => {
    const body = { type: 'rate', value: 'n', per: '1h', ...policy } as const
    return rejects(fixture.subscribe({ policy: body }), { code: 'invalid_payload' })
  }
  for (const policy of [
    {},
    { above: 1, below: -1 },
    { below: 5 },
    { below: '0' },
    { above: '-10%' },
    { above: 'much' },
  ])
    await path(policy)
  await path({ above: 1, per: '0s' })
})
