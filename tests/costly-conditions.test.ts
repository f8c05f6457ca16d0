import { afterAll, beforeAll, expect, test } from 'vitest'
import { query, until } from './harness/following.ts'
import { houseWithHook } from './harness/house-with-hook.ts'
import { type Harness, type Person, subscription, trigger } from './harness/index.ts'

/** Runs whose conditions or outputs cost more than they may: each says so, and none is lost without a word. */

const tooManySteps = 'take too many steps: one run may take 100,000'
const uncheckable = 'takes too many steps to check against its schema: at most 100,000 are allowed'
/** Ten steps for each of the values. */
const outputSchema = { list: { type: 'array', items: { anyOf: [...Array(8).fill('string'), 'number'] } } }
const unmet = (param: string, count = 10) => ({
  any: Array.from({ length: count }, () => ({ param, contains: { param: 'this', op: 'eq', value: 'no' } })),
})
let house: Harness
let ann: Person

beforeAll(async () => {
  ;({ house, ann } = await houseWithHook())
})
afterAll(() => house.close())

test('a preview names the limit and shows a long value cut', async () => {
  const input = { list: Array(40_000).fill(1.5) }
  const conditions = unmet('source.list', 100)
  const body = { conditions, providers: [], activation: null, transform: null, input } as never
  const seen = await ann.previewTrigger({ body })
  expect(seen).toMatchObject({ valid: false, issues: [{ path: 'conditions', message: tooManySteps }] })
  expect(JSON.stringify(seen).length).toBeLessThan(100_000)
})

test('a preview of an output that costs too much to check names the limit', async () => {
  const transform = { rawSource: '({ list: Array(20_000).fill(1) })' }
  const body = { providers: [], activation: null, transform, outputSchema, input: {} } as never
  const seen = await ann.previewTrigger({ body })
  expect(seen).toMatchObject({ valid: false, issues: [{ path: 'output.raw', message: uncheckable }] })
})

test('a live run fails and the log of the trigger says why, also for the conditions of a subscription', async () => {
  const fields = {
    triggerSpec: { type: 'timer', interval: '1m' },
    transform: '({ list: Array(20_000).fill(1) })',
    providers: [{ id: 'p', type: 'javascript', source: 'Array(20_000).fill(1)' }],
  }
  const own = trigger('acme.p.own', { ...fields, conditions: unmet('providers.p') } as never)
  const plain = trigger('acme.p.plain', fields as never)
  for (const [fullname, body] of [
    ['acme.p.own', own],
    ['acme.p.plain', plain],
    ['acme.p.schema', trigger('acme.p.schema', { ...fields, outputSchema } as never)],
  ] as const) {
    const { id } = await ann.saveTrigger({ fullname, body })
    const conditions = fullname === 'acme.p.plain' ? { conditions: unmet('list') } : {}
    await ann.createSubscription({ body: subscription(fullname, { resources: ['acme.hook'], ...conditions } as never) })
    await until(
      () => query(house, 'select 1 from timers where trigger_id = $1', [id]),
      (rows) => rows.length === 1,
    )
  }
  house.clock.advance(60_000)
  for (const [fullname, message] of [
    ['acme.p.own', `conditions: ${tooManySteps}`],
    ['acme.p.plain', `the conditions of a subscription ${tooManySteps}`],
    ['acme.p.schema', `output.raw: ${uncheckable}`],
  ] as const)
    await until(
      () => ann.getTriggerLogs({ fullname }),
      ({ logs }) => logs.some((entry) => entry.message === message),
    )
  expect(await ann.listAlerts({ query: { workspace: 'acme' } })).toEqual([])
})
