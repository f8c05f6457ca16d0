import { createServer, type Server } from 'node:http'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type EvaluationHouse, evaluationHouse, waitFor } from '../../../../tests/harness/evaluation.ts'
import { type Scripts, startScripts } from '../../engine/script/index.ts'

let house: EvaluationHouse
let server: Server | undefined
beforeEach(async () => {
  house = await evaluationHouse()
})
afterEach(async () => {
  server?.close()
  await house.close()
})

const statusOf = async (id: string) =>
  (await house.query<{ status: { status: string } }>('select status from triggers where id = $1', [id]))[0]?.status
const logsOf = (id: string) =>
  house.query<{ kind: string; status: string; reason_code: string; count: number; message: string }>(
    'select kind, status, reason_code, count, message from trigger_logs where trigger_id = $1 order by id',
    [id],
  )
const failing = { transform: { rawSource: 'if (source.n === 0) throw new Error("no zero"); return { n: source.n }' } }

test('repeated failures set a trigger to broken, and a successful run repairs it', async () => {
  const trigger = await house.trigger('fragile', failing)
  await house.subscribe(trigger)
  const { deps, stop } = await house.start()
  const zeros = (count: number) => Array.from({ length: count }, () => ({ n: 0 }))
  await house.happen(deps.store, trigger, { items: zeros(4) })
  await house.settled()
  expect(await statusOf(trigger)).toMatchObject({ status: 'not_tested' })
  await house.happen(deps.store, trigger, { items: zeros(1) })
  await waitFor(async () => (await statusOf(trigger))?.status === 'broken')
  expect(await statusOf(trigger)).toMatchObject({
    reasonCode: 'trigger.runtime_error',
    source: 'runtime',
    issue: expect.stringContaining('no zero'),
  })
  const message = expect.stringContaining('transform.rawSource: ')
  expect(await logsOf(trigger)).toEqual([
    { kind: 'delivery_failure', status: 'failed', reason_code: 'trigger.runtime_error', count: 5, message },
  ])
  await house.happen(deps.store, trigger, { items: [{ n: 1 }] })
  await waitFor(async () => (await statusOf(trigger))?.status === 'ready')
  expect(await house.alerts()).toHaveLength(1)
  await stop()
})

test('a trigger that runs seldom is broken by its second failure, and by none if a run between succeeded', async () => {
  const trigger = await house.trigger('seldom', failing)
  await house.subscribe(trigger)
  const { deps, stop } = await house.start()
  const run = async (n: number) => {
    await house.happen(deps.store, trigger, { items: [{ n }] })
    await house.settled()
    house.clock.advance(3_600_000)
  }
  for (const n of [0, 1, 0]) await run(n)
  expect((await statusOf(trigger))?.status).not.toBe('broken')
  await run(0)
  await waitFor(async () => (await statusOf(trigger))?.status === 'broken')
  await stop()
})

test('alerts beyond the quota of a workspace wait for the next minute, and the trigger says so', async () => {
  const trigger = await house.trigger('busy')
  await house.subscribe(trigger)
  const { deps, stop } = await house.start({ alertsPerMinute: 2 })
  await house.happen(deps.store, trigger, { items: [{ n: 1 }, { n: 2 }] })
  await waitFor(async () => (await house.alerts()).length === 2)
  await house.happen(deps.store, trigger, { items: [{ n: 3 }, { n: 4 }] })
  await waitFor(async () => (await statusOf(trigger))?.status === 'limited')
  expect(await house.alerts()).toHaveLength(2)
  const postponed = { status: 'rate_limited', reason_code: 'workspace.alerts_per_minute', count: 2 }
  expect(await logsOf(trigger)).toMatchObject([postponed])

  house.clock.advance(60_000)
  await house.hurry('evaluate')
  await waitFor(async () => (await house.alerts()).length === 4)
  await waitFor(async () => (await statusOf(trigger))?.status === 'ready')
  await stop()
})

test('a match with too many outputs makes no alert, and the log says why', async () => {
  const trigger = await house.trigger('wide', {
    transform: { source: '({ outputs: Array(source.n).fill({ raw: {} }) })' },
  })
  await house.subscribe(trigger)
  const { deps, stop } = await house.start()
  await house.happen(deps.store, trigger, { items: [{ n: 900 }, { n: 2 }] })
  await house.settled()
  await stop()
  expect(await house.alerts()).toHaveLength(2)
  const message = expect.stringContaining('returned 900 outputs for one match; at most 100 are allowed')
  expect(await logsOf(trigger)).toMatchObject([
    { status: 'failed', reason_code: 'trigger.runtime_error', count: 1, message },
  ])
})

test('the first run that succeeds makes an untested trigger ready and keeps its version', async () => {
  const trigger = await house.trigger('proven', failing)
  await house.subscribe(trigger)
  const versionOf = async () =>
    (await house.query<{ version: number }>('select version from triggers where id = $1', [trigger]))[0]?.version
  const version = await versionOf()
  const { deps, stop } = await house.start()
  await house.happen(deps.store, trigger, { items: [{ n: 1 }] })
  await waitFor(async () => (await statusOf(trigger))?.status === 'ready')
  expect(await statusOf(trigger)).toMatchObject({ source: 'runtime' })
  expect(await versionOf()).toBe(version)
  await stop()
})

test('a trigger that is broken by its source stays broken whatever its runs do', async () => {
  const trigger = await house.trigger('fragile', failing)
  await house.subscribe(trigger)
  const broken = {
    status: 'broken',
    source: 'dependency',
    reasonCode: 'trigger.source_unavailable',
    updatedAt: '2030-01-01T00:00:00.000Z',
  }
  await house.query('update triggers set status = $1', [broken])
  const { deps, stop } = await house.start()
  await house.happen(deps.store, trigger, { items: Array.from({ length: 6 }, () => ({ n: 0 })) })
  await house.settled()
  await house.happen(deps.store, trigger, { items: [{ n: 1 }] })
  await house.settled()
  await stop()
  expect(await statusOf(trigger)).toEqual(broken)
})

/** Answers 503 until the test changes it. */
async function startBusy(): Promise<{ url: string; asked: () => number; recover(): void }> {
  let [asked, isWell] = [0, false]
  server = createServer((_request, response) => {
    asked++
    response.writeHead(isWell ? 200 : 503).end('7')
  })
  await new Promise<void>((listening) => server?.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as { port: number }
  const recover = () => {
    isWell = true
  }
  return { url: `http://127.0.0.1:${port}/`, asked: () => asked, recover }
}

test('a run that fails because a service is busy is retried, and its alert is sent once', async () => {
  const busy = await startBusy()
  const trigger = await house.trigger('asks', { providers: [{ id: 'h', type: 'http', url: busy.url }] })
  await house.subscribe(trigger)
  const { deps, stop } = await house.start()
  await house.happen(deps.store, trigger)
  await house.settled()
  expect(await house.alerts()).toEqual([])
  expect(await logsOf(trigger)).toEqual([])
  busy.recover()
  await house.hurry('evaluate')
  await waitFor(async () => (await house.alerts()).length === 1)
  expect(await house.alerts()).toMatchObject([{ trace: { providers: { h: 7 } } }])
  await stop()
})

test('a run is tried six times in all, and then it is a failure like any other', async () => {
  const busy = await startBusy()
  const trigger = await house.trigger('asks', { providers: [{ id: 'h', type: 'http', url: busy.url }] })
  await house.subscribe(trigger)
  const { deps, stop } = await house.start()
  await house.happen(deps.store, trigger)
  await waitFor(async () => {
    await house.hurry('evaluate')
    return (await logsOf(trigger)).length === 1
  })
  await house.settled()
  expect(busy.asked()).toBe(6)
  expect(await logsOf(trigger)).toMatchObject([{ count: 1, reason_code: 'trigger.runtime_error' }])
  await stop()
})

test('a trigger with a state window waits as a whole, so that its items stay in order', async () => {
  const busy = await startBusy()
  const window = { id: 'w', type: 'state_window', dedupeBy: '{{source.n}}', value: '{{source.n}}', keepLast: 5 }
  const trigger = await house.trigger('remembers', {
    providers: [window, { id: 'h', type: 'http', url: `${busy.url}?n={{source.n}}` }],
    transform: { rawSource: '({ values: providers.w.values })' },
  })
  await house.subscribe(trigger)
  const { deps, stop } = await house.start()
  await house.happen(deps.store, trigger, { items: [{ n: 1 }] }, 'evaluate-ordered')
  await waitFor(() => busy.asked() > 0)
  await house.happen(
    deps.store,
    trigger,
    { items: [{ n: 2 }], nowMs: house.clock.now().getTime() + 1 },
    'evaluate-ordered',
  )
  busy.recover()
  await house.hurry('evaluate-ordered')
  await waitFor(async () => (await house.alerts()).length === 2)
  expect((await house.alerts()).map(({ trace }) => trace.raw?.values)).toEqual([[1], [1, 2]])
  await stop()
})

test('an ordered chunk whose processes died keeps all its attempts, and then it is a failure like any other', async () => {
  const busy = await startBusy()
  const window = { id: 'w', type: 'state_window', dedupeBy: '{{source.n}}', value: '{{source.n}}', keepLast: 5 }
  const http = { id: 'h', type: 'http', url: `${busy.url}?n={{source.n}}` }
  const trigger = await house.trigger('remembers', { providers: [window, http] })
  await house.subscribe(trigger)
  const { store } = await house.openDeps()
  await house.happen(store, trigger, {}, 'evaluate-ordered')
  await house.query("update pgboss.job set retry_count = 6, started_on = now() where name = 'evaluate-ordered'")
  const { stop } = await house.start()
  await waitFor(async () => {
    await house.hurry('evaluate-ordered')
    return (await logsOf(trigger)).length === 1
  })
  await house.settled()
  expect(busy.asked()).toBe(6)
  expect(await logsOf(trigger)).toMatchObject([{ count: 1, reason_code: 'trigger.runtime_error' }])
  await stop()
})

test.each(['evaluate', 'evaluate-ordered'] as const)(
  'in the queue %s, a run for which this machine has no time waits as long as it must',
  async (queue) => {
    const busy = startScripts({ children: 1, waitingMax: 0 })
    let scripts: Scripts = busy
    const engine = {
      ...house.engine,
      get scripts() {
        return scripts
      },
    }
    const trigger = await house.trigger('computes', { transform: { rawSource: '({ doubled: source.n * 2 })' } })
    await house.subscribe(trigger)
    const { deps, stop } = await house.start({}, { engine })
    await house.happen(deps.store, trigger, {}, queue)
    await waitFor(async () => {
      await house.hurry(queue)
      const [job] = await house.query('select from pgboss.job where (data->>$1)::int > 7', ['attempt'])
      return job !== undefined
    })
    expect(await logsOf(trigger)).toEqual([])
    scripts = house.engine.scripts
    await waitFor(async () => {
      await house.hurry(queue)
      return (await house.alerts()).length === 1
    })
    expect(await house.alerts()).toMatchObject([{ trace: { raw: { doubled: 2 } } }])
    await stop()
    await busy.close()
  },
)

test('matches above the limit are counted in the logs of the trigger and not evaluated', async () => {
  const trigger = await house.trigger('noisy')
  await house.subscribe(trigger)
  const { deps, stop } = await house.start({ pressure: { limited: 3 } })
  await house.happen(deps.store, trigger, { items: Array.from({ length: 10 }, (_, n) => ({ n })) })
  await house.settled()
  await stop()
  expect(await house.alerts()).toHaveLength(3)
  expect(await logsOf(trigger)).toMatchObject([
    { kind: 'source_pressure', status: 'limited', reason_code: 'trigger.pressure', count: 7 },
  ])
})
