import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Receiver, startReceiver } from './harness/deliveries.ts'
import { query, until } from './harness/following.ts'
import { houseWithHook } from './harness/house-with-hook.ts'
import { type Harness, type Person, resource, subscription, trigger } from './harness/index.ts'

/** Alerts whose templates cost more than they may. */

const loops = '{{#each raw.list}}{{#each ../raw.list}}{{#if (number ../../raw.n)}}{{/if}}{{/each}}{{/each}}'
const tooManySteps = 'takes too many steps: one message may take 50,000'
let house: Harness
let ann: Person
let receiver: Receiver
let custom: Receiver

beforeAll(async () => {
  ;({ house, ann, receiver } = await houseWithHook())
  custom = await startReceiver()
  const data = { url: custom.url, body: `{"text": "{{message.title}}", "cost": "${loops}"}` }
  await ann.saveResource({ fullname: 'acme.custom', body: resource('acme.custom', { data }) })
})
afterAll(async () => {
  await house.close()
  receiver.close()
  custom.close()
})

test('an alert whose message costs too much is sent with its values, and its trace says why', async () => {
  const body = trigger('acme.p.costly', {
    triggerSpec: { type: 'timer', interval: '1m' },
    transform: "({ who: 'Ann', n: '9'.repeat(1000), list: Array(200).fill(1) })",
    defaults: { title: loops, short: loops, long: loops, severity: 'critical' },
  } as never)
  const { id } = await ann.saveTrigger({ fullname: 'acme.p.costly', body })
  await ann.createSubscription({
    body: subscription('acme.p.costly', { resources: ['acme.hook', 'acme.custom'] }),
  })
  await until(
    () => query(house, 'select 1 from timers where trigger_id = $1', [id]),
    (rows) => rows.length === 1,
  )
  house.clock.advance(60_000)
  const [alert] = await until(
    () => ann.listAlerts({ query: { workspace: 'acme' } }),
    ([first]) => first?.status === 'delivered',
  )
  const short = `who: Ann\nn: ${'9'.repeat(200)}…\nlist: a list of 200`
  const { message, ...traced } = await ann.getAlert({ id: alert?.id ?? '' })
  expect(message).toEqual({ title: expect.any(String), short })
  expect(traced).toMatchObject({
    severity: 'critical',
    issues: ['title', 'short', 'long'].map((field) => `${field} ${tooManySteps}`),
  })
  for (const { received } of [receiver, custom])
    expect(JSON.parse(received[0]?.body ?? '')).toMatchObject({ type: 'alert', data: { message: { short } } })
  const attemptOf = (name: string) => traced.deliveries.find(({ resource }) => resource === name)?.attempts
  expect(attemptOf('acme.hook')).toEqual([expect.not.objectContaining({ note: expect.anything() })])
  expect(attemptOf('acme.custom')).toMatchObject([
    { ok: true, note: `The body template ${tooManySteps}. The default body was sent.` },
  ])
})
