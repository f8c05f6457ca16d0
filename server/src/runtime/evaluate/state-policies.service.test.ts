import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type EvaluationHouse, evaluationHouse } from '../../../../tests/harness/evaluation.ts'
import type { RuntimeDeps } from '../deps.ts'
import { type DueStatesJob, retractedJobs } from '../jobs/job.ts'
import { evaluateChunk } from './index.ts'
import { firePolicyTimer } from './policy-timer.ts'

/** Policies that fire and resolve, on a real store. `states.test.ts` compares the states themselves with an oracle. */

let house: EvaluationHouse
let deps: RuntimeDeps
let trigger: string
let startMs: number
let made = 0
beforeAll(async () => {
  house = await evaluationHouse()
  deps = await house.openDeps()
})
afterAll(() => house.close())
beforeEach(async () => {
  await house.query('truncate alerts, deliveries, policy_states, policy_values, source_blocks, subscriptions cascade')
  await house.query('delete from pgboss.job')
  trigger = await house.trigger(`t${++made}`, {
    defaults: { title: 'Value {{raw.v}}', severity: '{{#if raw.level}}{{raw.level}}{{else}}info{{/if}}' },
  })
  startMs = house.clock.now().getTime()
})

type Item = { v?: unknown; key?: string; level?: string }

/** Evaluates one item at the present time, in its own chunk and, if given, in a block. */
async function happen(item: Item = {}, block?: string, on = deps): Promise<void> {
  await on.listeners.refresh()
  const nowMs = house.clock.now().getTime()
  const where = block && { source: 's', block: { number: 1, hash: block, timestampMs: nowMs, incarnation: 0 } }
  await house.happen(on.store, trigger, { items: [item], nowMs, ...where })
  await evaluateChunk(on, await house.claim(on.store))
}

/** Lets time pass, second by second as far as timers are due. */
async function pass(seconds: number, on = deps): Promise<void> {
  house.clock.advance(seconds * 1000)
  const due = house.clock.now()
  for (;;) {
    await house.query("update pgboss.job set start_after = now() where name = 'policy' and start_after <= $1", [due])
    const [job] = await on.store.jobQueue.pgBoss().fetch<DueStatesJob>('policy', { batchSize: 1 })
    if (!job) return
    await firePolicyTimer(on, { ...job, queue: 'policy', signal: new AbortController().signal })
  }
}

type Told = { id: string; state: string | null; resolves: string | null; duration_ms: string | null; severity: string }

/** The alerts in the order in which they were recorded, each in one line; ids are replaced by their place. */
async function told(): Promise<string[]> {
  const rows = await house.query<Told & { status: string; item_at: Date; message: { title: string } }>(
    'select * from alerts order by seq',
  )
  const places = new Map(rows.map(({ id }, place) => [id, place]))
  return rows.map(({ state, resolves, duration_ms, severity, status, item_at, message: { title } }) => {
    const over = resolves === null ? '' : ` ${places.get(resolves)} after ${Number(duration_ms) / 1000}s`
    const end = status === 'retracted' ? ', retracted' : ''
    return `${(item_at.getTime() - startMs) / 1000}s ${state}${over}: ${title} (${severity})${end}`
  })
}

test('threshold: an alert when it fires and one when it resolves, on the same resources, per key, also after a restart', async () => {
  await house.subscribe(trigger, { policy: { type: 'threshold', value: 'v', above: 10, until: 8, key: 'key' } })
  await happen({ v: 11, key: 'a', level: 'critical' })
  await happen({ v: 5, key: 'b' })
  house.clock.advance(60_000)
  await happen({ v: 9, key: 'a' })
  const restarted = await house.openDeps()
  house.clock.advance(60_000)
  await happen({ v: 12, key: 'a' }, undefined, restarted)
  await happen({ v: 8, key: 'a', level: 'warning' }, undefined, restarted)
  expect(await told()).toEqual(['0s firing: Value 11 (critical)', '120s resolved 0 after 120s: Value 8 (critical)'])
  expect((await house.deliveries()).map(({ resource_id }) => resource_id)).toEqual(['hook', 'hook'])
})

test('threshold: with `for` the clock fires it if no further output comes', async () => {
  await house.subscribe(trigger, { policy: { type: 'threshold', value: 'v', below: '10', for: '5m' } })
  await happen({ v: 9 })
  await pass(299)
  expect(await told()).toEqual([])
  await pass(1)
  expect(await told()).toEqual(['0s firing: Value 9 (info)'])
  await pass(600)
  await happen({ v: 10 })
  expect((await told()).slice(1)).toEqual(['900s resolved 0 after 600s: Value 10 (info)'])
})

test('an alert that fires is listed until it is resolved, however many fired and were resolved after it', async () => {
  await house.subscribe(trigger, { policy: { type: 'threshold', value: 'v', above: 10, key: 'key' } })
  await happen({ v: 11, key: 'a' })
  const [{ workspace_id: workspace } = { workspace_id: '' }] = await house.query<{ workspace_id: string }>(
    'select workspace_id from alerts',
  )
  const columns = 'subscription_id, account_id, workspace_id, project, trigger, status, item_at, message, trace'
  const times = 'created_at, updated_at'
  await house.query(
    `insert into alerts (id, state, resolves, ${columns}, ${times})
     select part || n, case part when 'fired' then 'firing' else 'resolved' end, case part when 'resolved' then 'fired' || n end,
       ${columns}, ${times} from alerts, generate_series(1, 10000) n, unnest(array['fired', 'resolved']) part`,
  )
  const firing = async () => {
    const { count, rows } = await deps.store.firingAlerts.list(workspace, undefined, 20)
    return [count, rows.map(({ title }) => title)]
  }
  expect(await firing()).toEqual([1, ['Value 11']])
  await happen({ v: 12, key: 'b' })
  expect(await firing()).toEqual([2, ['Value 12', 'Value 11']])
  await happen({ v: 9, key: 'a' })
  expect(await firing()).toEqual([1, ['Value 12']])
})

test('values are stored once a minute while a threshold is quiet and always while it fires, and an undone one is deleted', async () => {
  await house.subscribe(trigger, { policy: { type: 'threshold', value: 'v', above: 10, until: 8 } })
  await applyBlocks('b1', 'b2')
  house.clock.advance(60_000 - (house.clock.now().getTime() % 60_000))
  for (const v of [1, 2, 11, 12, 'none']) {
    await happen({ v }, 'b1')
    house.clock.advance(1_000)
  }
  await happen({ v: '7.50' }, 'b2')
  const values = async () =>
    (await house.query('select value, bound, until from policy_values order by at')).map((row) => Object.values(row))
  const stored = ['1', '11', '12'].map((value) => [value, '10', '8'])
  expect(await values()).toEqual([...stored, ['7.5', '10', '8']])
  await undo('b2')
  expect(await values()).toEqual(stored)
})

test('a reorg takes the state back: a retracted alert fires again, and a retracted end leaves it firing', async () => {
  await house.subscribe(trigger, { policy: { type: 'threshold', value: 'v', above: 10 } })
  await applyBlocks('b1', 'b2', 'c2')
  await happen({ v: 11 }, 'b1')
  await happen({ v: 9 }, 'b2')
  await undo('b2')
  await happen({ v: 12 }, 'c2')
  expect(await told()).toEqual(['0s firing: Value 11 (info)', '0s resolved 0 after 0s: Value 9 (info), retracted'])
  await undo('c2')
  await undo('b1')
  await applyBlocks('c1')
  await happen({ v: 13 }, 'c1')
  expect((await told()).map((line) => line.replace(/ after .*?:/, ':'))).toEqual([
    '0s firing: Value 11 (info), retracted',
    '0s resolved 0: Value 9 (info), retracted',
    '0s firing: Value 13 (info)',
  ])
})

test('an alert that time alone resolved is retracted with the alert that it resolves', async () => {
  await house.subscribe(trigger, { policy: { type: 'count', count: 1, within: '1m' } })
  await applyBlocks('b1')
  await happen({ v: 1 }, 'b1')
  await pass(60)
  expect(await told()).toEqual(['0s firing: Value 1 (info)', '60s resolved 0 after 60s: Value 1 (info)'])
  await undo('b1')
  expect((await told()).every((line) => line.endsWith('retracted'))).toBe(true)
  await pass(60)
  await happen({ v: 2 })
  expect((await told()).slice(2)).toEqual(['120s firing: Value 2 (info)'])
})

test('count: fires once for a burst, resolves when it is over, and counts each key by itself', async () => {
  await house.subscribe(trigger, { policy: { type: 'count', count: 3, within: '1m', key: 'key' } })
  for (const key of ['a', 'b', 'a', 'b', 'A', 'a', 'a']) {
    await happen({ v: key, key })
    house.clock.advance(1_000)
  }
  await pass(58)
  expect(await told()).toEqual(['4s firing: Value A (info)'])
  await pass(1)
  expect((await told()).slice(1)).toEqual(['66s resolved 0 after 62s: Value A (info)'])
})

test('change: each change is an alert without a state, and an undone value is no longer compared with', async () => {
  await house.subscribe(trigger, { policy: { type: 'change', value: 'v', by: '10%', within: '1h' } })
  await applyBlocks('b1', 'b2')
  await happen({ v: '100' }, 'b1')
  await happen({ v: '50' }, 'b2')
  expect(await told()).toEqual(['0s null: Value 50 (info)'])
  await undo('b1')
  await undo('b2')
  await happen({ v: '60' })
  await happen({ v: '65.9' })
  await happen({ v: 66 })
  expect((await told()).slice(1)).toEqual(['0s null: Value 66 (info)'])
})

test('absence: counts from the save of the subscription, then from the last output; it has no block', async () => {
  const id = await house.subscribe(trigger, {
    policy: { type: 'absence', within: '10m' },
    overrides: { short: 'Since {{raw.lastAt}}', severity: 'warning' },
  })
  await deps.store.jobs.add('policy', [{ data: { beginSubscription: id } }])
  await pass(0)
  await pass(599)
  expect(await told()).toEqual([])
  await pass(1)
  const title = `Trigger t${made}: nothing for 10m`
  expect(await told()).toEqual([`600s firing: ${title} (warning)`])
  const lastAt = new Date(startMs).toISOString()
  const [alert] = await house.query('select source, block_hash, trace, message from alerts')
  expect(alert).toMatchObject({
    ...{ source: null, block_hash: null, trace: { raw: { lastAt, within: '10m' } } },
    message: { short: `Since ${lastAt}` },
  })
  await pass(60)
  await happen({ v: 1 })
  expect((await told()).slice(1)).toEqual([`660s resolved 0 after 60s: ${title} (warning)`])
  await pass(599)
  await happen({ v: 2 })
  await pass(599)
  expect(await told()).toHaveLength(2)
  await pass(1)
  expect((await told()).slice(2)).toEqual([`1859s firing: ${title} (warning)`])
})

test('absence: the message names no output if none ever came', async () => {
  const id = await house.subscribe(trigger, { policy: { type: 'absence', within: '10m' } })
  await deps.store.jobs.add('policy', [{ data: { beginSubscription: id } }])
  await pass(0)
  await pass(600)
  const [alert] = await house.query('select message from alerts')
  expect(alert).toMatchObject({ message: { short: `Nothing came since ${new Date(startMs).toISOString()}.` } })
})

test('absence: an alert that rests on an undone output is retracted, and the state is as before that output', async () => {
  await house.subscribe(trigger, { policy: { type: 'absence', within: '10m' } })
  await applyBlocks('b1', 'b2')
  await happen({ v: 1 }, 'b1')
  await pass(600)
  await happen({ v: 2 }, 'b2')
  await pass(600)
  const states = async () => (await told()).map((line) => line.replace(/:.*?(, retracted|$)/, '$1'))
  expect(await states()).toEqual(['600s firing', '600s resolved 0 after 0s', '1200s firing'])
  expect(await house.query('select distinct block_number from alerts where state = $1', ['firing'])).toEqual([
    { block_number: null },
  ])
  await undo('b2')
  expect(await states()).toEqual(['600s firing', '600s resolved 0 after 0s, retracted', '1200s firing, retracted'])
  // A block of the same time replaces it, and nothing follows again: that is another alert.
  house.clock.advance(-600_000)
  await applyBlocks('c2')
  await happen({ v: 3 }, 'c2')
  await pass(600)
  expect((await states()).slice(3)).toEqual(['600s resolved 0 after 0s', '1200s firing'])
})

test('absence: a silence that goes on after a reorg is told again, unless a new block ends it', async () => {
  await house.subscribe(trigger, { policy: { type: 'absence', within: '10m' } })
  await applyBlocks('b1', 'b2', 'c2')
  await happen({ v: 1 }, 'b1')
  await pass(300)
  await happen({ v: 2 }, 'b2')
  await pass(600)
  const states = async () => (await told()).map((line) => line.replace(/:.*?(, retracted|$)/, '$1'))
  await undo('b2')
  await pass(29)
  expect(await states()).toEqual(['900s firing, retracted'])
  await pass(1)
  expect(await states()).toEqual(['900s firing, retracted', '600s firing'])
  await happen({ v: 3 }, 'c2')
  await pass(600)
  expect((await states()).slice(2)).toEqual(['930s resolved 1 after 330s', '1530s firing'])
  await undo('c2')
  await applyBlocks('d2')
  await happen({ v: 4 }, 'd2')
  await pass(30)
  expect((await states()).slice(4)).toEqual(['1530s resolved 1 after 930s'])
})

test('while a history runs the clock fires nothing, because its next items come later; afterwards it does', async () => {
  const id = await house.subscribe(trigger, { policy: { type: 'threshold', value: 'v', above: 10, for: '5m' } })
  await deps.store.histories.add(id, { source: 's', from: 1, to: 9, delivers: false }, house.clock.now())
  await happen({ v: 11 })
  await pass(600)
  expect(await told()).toEqual([])
  await house.query("update histories set state = 'done' where subscription_id = $1", [id])
  await pass(10)
  expect(await told()).toEqual(['0s firing: Value 11 (info)'])
})

test('repeat: the same alert is delivered again under its id with a counter, until it resolves', async () => {
  await house.subscribe(trigger, { policy: { type: 'threshold', value: 'v', above: 10, repeat: '1h' } })
  await happen({ v: 11 })
  const sent = () =>
    house.query("update deliveries set status = 'delivered' where status = 'pending' returning alert_id, kind, repeat")
  const [first] = await sent()
  await pass(3600)
  expect(await sent()).toEqual([{ alert_id: first?.alert_id, kind: 'alert', repeat: 1 }])
  await pass(1800)
  expect(await sent()).toEqual([])
  await pass(1800)
  expect(await house.query("select status from alerts where state = 'firing'")).toEqual([{ status: 'pending' }])
  await pass(3600)
  // The second repetition still waits, so a third is not added beside it.
  expect(await sent()).toEqual([{ alert_id: first?.alert_id, kind: 'alert', repeat: 2 }])
  await happen({ v: 1 })
  await pass(7200)
  expect(await told()).toHaveLength(2)
  expect((await sent()).map(({ alert_id, repeat }) => [alert_id === first?.alert_id, repeat])).toEqual([[false, 0]])
})

type Shown = { message: { title: string }; trace: Record<string, unknown>; shown_block: object | null; status: string }

test('threshold: an alert with `for` and its repeats show the newest output, its block and what the policy decided by', async () => {
  await house.subscribe(trigger, {
    policy: { type: 'threshold', value: 'v', below: 100, until: 120, for: '20s', repeat: '15s' },
    overrides: { short: '{{policy.value}} under {{policy.bound}} for {{policy.for}}' },
  })
  const shown = async () => {
    const [row] = await house.query<Shown>("select * from alerts where state = 'firing'")
    return (
      row && { ...row.message, raw: row.trace.raw ?? row.trace.item, policy: row.trace.policy, block: row.shown_block }
    )
  }
  await applyBlocks('b1', 'b2', 'b3')
  await happen({ v: 60 }, 'b1')
  house.clock.advance(12_000)
  await happen({ v: '10' }, 'b2')
  await pass(8)
  const policy = { type: 'threshold', bound: 100, for: '20s', since: new Date(startMs).toISOString() }
  expect(await shown()).toEqual({
    ...{ title: 'Value 10', short: '10 under 100 for 20s', raw: { v: '10' }, policy: { ...policy, value: '10' } },
    block: { number: 1, hash: 'b2' },
  })
  house.clock.advance(5_000)
  await happen({ v: 7 }, 'b3')
  await pass(10)
  const repeated = {
    title: 'Value 7',
    raw: { v: 7 },
    policy: { ...policy, value: 7 },
    block: { number: 1, hash: 'b3' },
  }
  expect(await shown()).toMatchObject(repeated)
  // The alert rests on the first block, so only an undo of that one takes it back.
  await undo('b3')
  expect((await told()).at(0)).not.toContain('retracted')
  await happen({ v: 130 })
  expect((await house.query<Shown>("select * from alerts where state = 'resolved'"))[0]?.trace.policy).toMatchObject({
    ...policy,
    value: 130,
  })
  await undo('b1')
  expect((await told()).at(0)).toContain('retracted')
})

test('with `for` the severity by conditions is that of the newest output', async () => {
  const rule = (param: string, value: string | number) => ({
    if: { param, op: 'eq' as const, value },
    then: 'critical' as const,
  })
  const severity = [rule('policy.value', 10), { then: 'warning' as const }]
  await house.subscribe(trigger, {
    policy: { type: 'threshold', value: 'v', below: 100, for: '20s' },
    overrides: { severity },
  })
  await happen({ v: 60 })
  house.clock.advance(10_000)
  await happen({ v: 10 })
  await pass(10)
  expect(await told()).toEqual(['0s firing: Value 10 (critical)'])
})

test('a severity by conditions decides for an absence too', async () => {
  const rule = { if: { param: 'raw.within', op: 'eq' as const, value: '5m' }, then: 'critical' as const }
  await house.subscribe(trigger, { policy: { type: 'absence', within: '5m' }, overrides: { severity: [rule] } })
  await happen({ v: 1 })
  await pass(300)
  expect((await told()).map((line) => line.replace(/.*\(/, ''))).toEqual(['critical)'])
})

test('count, change and absence say what they decided by', async () => {
  const policyOf = async (type: string) =>
    (await house.query<Shown>('select * from alerts order by seq'))
      .map(({ trace }) => trace.policy)
      .filter((policy) => JSON.stringify(policy).includes(type))
  await house.subscribe(trigger, { policy: { type: 'count', count: 2, within: '1m' } })
  await house.subscribe(trigger, { policy: { type: 'change', value: 'v', by: '10%', within: '1h' } })
  await house.subscribe(trigger, { policy: { type: 'absence', within: '10m' } })
  await happen({ v: '1000' })
  house.clock.advance(10_000)
  await happen({ v: '900' })
  const since = new Date(startMs).toISOString()
  expect(await policyOf('count')).toEqual([{ type: 'count', bound: 2, count: 2, within: '1m', since }])
  expect(await policyOf('change')).toEqual([
    { type: 'change', bound: '10%', value: '900', previous: '1000', changePercent: -10, within: '1h', since },
  ])
  await pass(600)
  const lastAt = new Date(startMs + 10_000).toISOString()
  expect(await policyOf('absence')).toEqual([{ type: 'absence', within: '10m', since: lastAt, lastAt }])
})

test('two processes that evaluate outputs of one key at once change its state once', async () => {
  await house.subscribe(trigger, { policy: { type: 'threshold', value: 'v', above: 10 } })
  const other = await house.openDeps()
  await Promise.all([deps.listeners.refresh(), other.listeners.refresh()])
  for (let n = 0; n < 6; n++) await house.happen(deps.store, trigger, { items: [{ v: 11 + n }] })
  const claims = await Promise.all(Array.from({ length: 6 }, () => house.claim(deps.store)))
  await Promise.all(claims.map((claimed, at) => evaluateChunk(at % 2 === 0 ? deps : other, claimed)))
  expect(await told()).toHaveLength(1)
})

test('a timer and an output that come at once tell one story', async () => {
  await house.subscribe(trigger, { policy: { type: 'threshold', value: 'v', above: 10, for: '1m' } })
  await happen({ v: 11 })
  const other = await house.openDeps()
  house.clock.advance(60_000)
  await Promise.all([happen({ v: 12 }), pass(0, other)])
  expect(await told()).toHaveLength(1)
  await happen({ v: 9 })
  expect(await told()).toHaveLength(2)
})

test('mode once: only the first time is told, with its end', async () => {
  await house.subscribe(trigger, { policy: { type: 'threshold', value: 'v', above: 10 }, delivery: { mode: 'once' } })
  for (const v of [11, 9, 12, 8]) await happen({ v })
  expect((await told()).map((line) => line.replace(/ after .*?:/, ':'))).toEqual([
    '0s firing: Value 11 (info)',
    '0s resolved 0: Value 9 (info)',
  ])
})

test('a bound may be an input; an output without a number is reported in the logs of the trigger', async () => {
  const policy = { type: 'threshold' as const, value: 'v', above: '{{inputs.limit}}' }
  await house.subscribe(trigger, { policy, inputs: { limit: 20 } })
  for (const v of [15, 'much', 21]) await happen({ v })
  expect(await told()).toEqual(['0s firing: Value 21 (info)'])
  const logs = await house.query('select reason_code, message from trigger_logs where trigger_id = $1', [trigger])
  expect(logs).toEqual([
    { reason_code: 'trigger.policy_value', message: 'policy.value "v" is not a number in the output' },
  ])
})

async function applyBlocks(...hashes: string[]): Promise<void> {
  for (const [at, hash] of hashes.entries())
    await house.query("insert into source_blocks (source, hash, number, parent_hash) values ('s', $1, $2, '')", [
      hash,
      at,
    ])
}

/** As the follow loop does. */
async function undo(hash: string): Promise<void> {
  const [block] = await deps.store.sourceBlocks.undo('s', [hash], house.clock.now())
  if (!block) return
  await deps.store.policyValues.undo('s', block)
  const { subscriptions } = await deps.store.retractions.retract('s', block, 'undone', house.clock.now())
  await deps.store.jobs.add('policy', retractedJobs(subscriptions, house.clock.now()))
}
