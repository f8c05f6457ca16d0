import { afterAll, beforeAll, expect, test } from 'vitest'
import { until } from './harness/following.ts'
import { type HistoryFixture, historyFixture } from './harness/histories.ts'
import { rejects } from './harness/index.ts'

/** What a policy would have told of the values that a subscription stored. */
let fixture: HistoryFixture
let id: string

beforeAll(async () => {
  fixture = await historyFixture({ ROLE: 'all' })
  await fixture.processed(0)
  const policy = { type: 'threshold', value: 'n', above: 100, key: 'none' } as const
  id = (await fixture.subscribe({ policy })).id
  for (const n of [150, 90, 160, 170, 95]) {
    await fixture.emit(n)
    await fixture.processed(await fixture.headNumber())
  }
  await until(
    () => fixture.ann.listAlerts({ query: { subscription: id } }),
    (alerts) => alerts.length >= 4,
  )
})
afterAll(() => fixture.close())

const preview = (policy: object, more: object = {}) =>
  fixture.ann.previewPolicy({ id, body: { policy, ...more } } as never)

test('the preview has the stored values with the edited bound, and where the policy would have fired and resolved', async () => {
  const edited = await preview({ type: 'threshold', value: 'n', above: 155, until: 100 })
  expect(edited.issue).toBeUndefined()
  expect(edited.values.map(({ value, bound, until }) => [value, bound, until])).toEqual(
    ['150', '90', '160', '170', '95'].map((value) => [value, '155', '100']),
  )
  const [firedAt, resolvedAt] = [edited.values[2]?.at, edited.values[4]?.at]
  expect(edited.alerts).toMatchObject([
    { at: firedAt, state: 'firing', policy: { type: 'threshold', bound: 155, value: '160' } },
    { at: resolvedAt, state: 'resolved', policy: { value: '95' } },
  ])
  expect(edited.keys).toEqual([edited.key])
  const change = await preview({ type: 'change', value: 'n', by: '50%' })
  expect(change.alerts.map(({ state, policy }) => [state, policy?.previous, policy?.value])).toEqual([
    [null, '90', '160'],
  ])
  expect(change.values[0]?.bound).toBeUndefined()
})

test('nothing is changed by a preview', async () => {
  const before = await fixture.ann.listAlerts({ query: { subscription: id } })
  await preview({ type: 'threshold', value: 'n', above: 1 })
  expect(await fixture.ann.listAlerts({ query: { subscription: id } })).toEqual(before)
})

test('a policy without stored values says why', async () => {
  expect(await preview({ type: 'count', count: 2, within: '1h' })).toMatchObject({
    ...{ values: [], alerts: [], issue: expect.stringContaining('compares no value') },
  })
  expect((await preview({ type: 'threshold', value: 'other', above: 1 })).issue).toContain('now it compares n')
  expect((await preview({ type: 'threshold', value: 'n', above: 1 }, { key: 'nobody' })).issue).toContain('No values')
})

test('a wrong policy is refused, and so is the subscription of another account', async () => {
  await rejects(preview({ type: 'threshold', value: 'n' }), { code: 'invalid_payload' })
  const eve = await fixture.house.person('eve')
  const policy = { type: 'threshold', value: 'n', above: 1 } as const
  await rejects(eve.previewPolicy({ id, body: { policy } }), { code: 'not_found' })
})
