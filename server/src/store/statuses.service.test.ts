import { AlertStatus, type TriggerStatus } from '@tocsin/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openStoreWithOwner, type StoreWithOwner } from '../../../tests/harness/store-with-owner.ts'
import { type AlertEvent, moveAlert } from './alerts/alert-status.ts'
import type { BindingFailure } from './core/tables.ts'
import { bindingWarningOf } from './triggers/trigger-bindings.ts'
import { moveTrigger, type StatusColumns, type TriggerEvent } from './triggers/trigger-status.ts'

/** The SQL of the store and the state machines beside it must agree: every state meets every event. */

const at = new Date('2030-01-01T00:00:00.000Z')
const updatedAt = '2029-01-01T00:00:00.000Z'
let store: StoreWithOwner['store']
let db: StoreWithOwner['db']
let close: StoreWithOwner['close']

beforeAll(async () => {
  ;({ store, db, close } = await openStoreWithOwner('w', 'other'))
  await db.query(`insert into projects
    (id, workspace_id, name, fullname, visibility, access_level, tags, labels, meta, created_at, updated_at)
    values ('p', 'w', 'p', 'w.p', 'personal', 'private', '[]', '{}', '{"title":"P"}', now(), now())`)
  for (const [fullname, owner] of [
    ['w.own', 'w'],
    ['other.secret', 'other'],
  ])
    await db.query(
      `insert into custom_sources
         (id, workspace_id, name, fullname, public, kind, endpoints, settings, meta, status, revision, created_at, updated_at)
       values ($1::text, $2, $1, $1, false, 'evm', '', '{}', '{}', '{}', 1, now(), now())`,
      [fullname, owner],
    )
})

afterAll(() => close())

const broken = (source: TriggerStatus['source'], reasonCode?: string): TriggerStatus => ({
  status: 'broken',
  issue: 'why',
  ...(reasonCode && { reasonCode }),
  source,
  updatedAt,
})
const pressed = (status: 'warning' | 'limited' | 'blocked'): TriggerStatus => ({
  status,
  reasonCode: 'trigger.pressure',
  source: 'runtime',
  updatedAt,
})
const definitionWarning: TriggerStatus = {
  status: 'warning',
  reasonCode: 'trigger.unmarked_event',
  source: 'edit',
  updatedAt,
}
const bindingWarning: TriggerStatus = {
  status: 'warning',
  issue: 'Binding "x": down',
  reasonCode: 'trigger.binding_failed',
  source: 'dependency',
  updatedAt,
}
const triggerStates: TriggerStatus[] = [
  { status: 'not_tested', updatedAt },
  { status: 'not_tested', source: 'edit', updatedAt },
  { status: 'ready', source: 'test', updatedAt },
  { status: 'ready', source: 'runtime', updatedAt },
  definitionWarning,
  bindingWarning,
  pressed('warning'),
  pressed('limited'),
  pressed('blocked'),
  broken('test'),
  broken('runtime', 'trigger.runtime_error'),
  broken('dependency', 'trigger.source_missing'),
  broken('dependency', 'trigger.source_unavailable'),
  broken('dependency', 'source.unreadable_logs'),
  broken('dependency', 'source.unreadable_transactions'),
]
const rows: StatusColumns[] = triggerStates.flatMap((status) =>
  [null, { status: 'ready' as const, source: 'test' as const, updatedAt }].flatMap((status_before) =>
    [null, definitionWarning].flatMap((definition_warning) =>
      [null, bindingWarning].map((binding_warning) => ({ status, status_before, definition_warning, binding_warning })),
    ),
  ),
)
const issue = 'new'
const ownEvents: TriggerEvent[] = [
  { kind: 'runs_failed', issue },
  { kind: 'run_succeeded' },
  { kind: 'version_proven', version: 1 },
  { kind: 'version_proven', version: 2 },
  { kind: 'pressure_rose', level: 'limited', issue },
  { kind: 'pressure_ended' },
]

test.each(ownEvents)('a trigger changes its status by the table: $kind', async (event) => {
  await expectMoves(event, 'w.own', true, () =>
    Promise.all(rows.map((_, index) => store.triggerStatuses.move(`t${index}`, event, at))),
  )
})

test('a dependency that is lost and comes back changes triggers by the table', async () => {
  const { triggerStatuses } = store
  for (const source of ['w.own', 'other.secret']) {
    const canRead = source === 'w.own'
    const part = { part: 'logs', specTypes: ['evm_log'], issue }
    const expectAll = (event: TriggerEvent, move: () => Promise<unknown>) => expectMoves(event, source, canRead, move)
    await expectAll({ kind: 'dependency_lost', issue }, () => triggerStatuses.breakBySource(source, issue, at))
    await expectAll({ kind: 'dependency_lost', issue }, () => triggerStatuses.breakByFailure(source, issue, at))
    await expectAll({ kind: 'dependency_restored' }, () => triggerStatuses.restoreBySource(source, at))
    await expectAll({ kind: 'part_lost', part: 'logs', issue }, () => triggerStatuses.breakByPart(source, part, at))
    const missed = { ...part, isLimit: true }
    await expectAll({ kind: 'part_missed', part: 'logs', issue }, () => triggerStatuses.breakByPart(source, missed, at))
    await expectAll({ kind: 'part_restored', part: 'logs' }, () => triggerStatuses.restoreByPart(source, 'logs', at))
  }
})

const unavailable = { reasonCode: 'trigger.source_unavailable', issue }

/** Each trigger has the bindings x on w.own and y on w.two, with these failures. The event is about w.own. */
const bindingEvents = [
  {
    name: 'the source fails',
    x: null,
    after: unavailable,
    move: () => store.triggerStatuses.breakByFailure('w.own', issue, at),
  },
  {
    name: 'the source is back',
    x: unavailable,
    after: null,
    move: () => store.triggerStatuses.restoreBySource('w.own', at),
  },
]
const bindingCases = bindingEvents.flatMap((event) => [null, unavailable].map((y) => ({ ...event, y })))

test.each(bindingCases)(
  'bindings change the status of their triggers by the table: $name',
  async ({ x, y, after, move }) => {
    await insertRows('unused')
    await db.query(
      `insert into trigger_bindings (trigger_id, id, position, source, failure)
     select t.id, b.id, b.position, b.source, nullif(b.failure, 'null'::jsonb)::json from triggers t,
       (values ('x', 0, 'w.own', $1::jsonb), ('y', 1, 'w.two', $2::jsonb)) b(id, position, source, failure)`,
      [JSON.stringify(x), JSON.stringify(y)],
    )
    await move()
    const bindings = [
      { id: 'x', source: 'w.own', failure: after },
      { id: 'y', source: 'w.two', failure: y },
    ]
    expect(await store.triggerBindings.list('t0')).toEqual(bindings)
    const binding_warning = bindingWarningOf(bindings, at)
    const isShown = (row: StatusColumns) => row.status.reasonCode === bindingWarning.reasonCode
    const kindOf = (row: StatusColumns) => {
      if (!binding_warning) return 'bindings_restored' as const
      return isShown(row) ? ('bindings_changed' as const) : ('binding_lost' as const)
    }
    expect(await readRows()).toEqual(
      rows.map((before) => {
        const row = { ...before, binding_warning }
        const moved = moveTrigger(row, { kind: kindOf(row) }, { at, canRead: true, version: 1 })
        return { ...(moved ?? row), version: moved ? 3 : 2 }
      }),
    )
  },
)

test('a binding that fails for a missing source or an unreadable part waits for that to end', async () => {
  const { triggerStatuses, triggerBindings } = store
  const failureAfter = async (failure: BindingFailure, source: string, move: () => Promise<unknown>) => {
    await insertRows('unused')
    await db.query(`insert into trigger_bindings values ('t0', 'x', 0, $1, $2)`, [source, JSON.stringify(failure)])
    await move()
    return (await triggerBindings.list('t0'))[0]?.failure
  }
  const missing = { reasonCode: 'trigger.source_missing', issue }
  const secret = 'other.secret'
  expect(await failureAfter(missing, secret, () => triggerStatuses.restoreBySource(secret, at))).toEqual(missing)
  expect(await failureAfter(missing, 'w.own', () => triggerStatuses.restoreBySource('w.own', at))).toBeNull()
  const unread = { reasonCode: 'source.unreadable_logs', issue }
  expect(await failureAfter(unread, 'w.own', () => triggerStatuses.restoreBySource('w.own', at))).toEqual(unread)
  expect(await failureAfter(unread, 'w.own', () => triggerStatuses.restoreByPart('w.own', 'traces', at))).toEqual(
    unread,
  )
  expect(await failureAfter(unread, 'w.own', () => triggerStatuses.restoreByPart('w.own', 'logs', at))).toBeNull()
})

async function expectMoves(event: TriggerEvent, source: string, canRead: boolean, move: () => Promise<unknown>) {
  await insertRows(source)
  await move()
  const isCounted = event.kind !== 'version_proven'
  expect(await readRows()).toEqual(
    rows.map((row) => {
      const moved = moveTrigger(row, event, { at, canRead, version: 1 })
      return { ...(moved ?? row), version: moved && isCounted ? 2 : 1 }
    }),
  )
}

async function insertRows(source: string): Promise<void> {
  await db.query('delete from triggers')
  await db.query(
    `insert into triggers (id, project_id, name, fullname, definition, providers, data_source, status, status_before,
       definition_warning, binding_warning, tags, labels, meta, created_at, updated_at)
     select 't' || n - 1, 'p', n::text, 'w.p.' || n, '{"backend":{},"triggerSpec":{"type":"evm_log"}}', '', $2,
       r->'status', nullif(r->>'status_before', 'null')::json, nullif(r->>'definition_warning', 'null')::json,
       nullif(r->>'binding_warning', 'null')::json,
       '[]', '{}', '{"title":""}', now(), now()
     from json_array_elements($1::json) with ordinality x(r, n)`,
    [JSON.stringify(rows), source],
  )
}

async function readRows() {
  const { rows } = await db.query<StatusColumns & { version: number }>(
    'select status, status_before, definition_warning, binding_warning, version from triggers order by substr(id, 2)::int',
  )
  return rows
}

const deliveryStates = ['waiting', 'pending', 'delivered', 'dead', 'dropped'] as const
/** None, one, or two resources. */
const deliveryChoices = [[], ...deliveryStates.map((one) => [one])].concat(
  deliveryStates.flatMap((one) => deliveryStates.map((two) => [one, two])),
)
const alertCases = AlertStatus.options.flatMap((status) =>
  deliveryChoices.map((deliveries, index) => ({ id: `${status}-${index}`, status, deliveries })),
)
const alertEvents: Record<Exclude<AlertEvent['kind'], 'recorded'>, () => Promise<unknown>> = {
  deliveries_changed: () =>
    store.deliveries.updateAlertStatuses(
      alertCases.map(({ id }) => id),
      at,
    ),
  block_final: () => store.waitingAlerts.release('w.own', [{ finality: 'safe', number: 1 }], 1_000, at),
  source_lost: () => store.waitingAlerts.giveUp('w.own', 'lost', at),
  digest_sent: () => store.alertWrites.setDigested({ subscriptionId: 's', ruleId: '' }, 'digest', at),
  block_undone: () => store.retractions.retract('w.own', { hash: '0x1', incarnation: 0 }, 'undone', at),
}

test.each(['block_final', 'source_lost', 'deliveries_changed', 'digest_sent', 'block_undone'] as const)(
  'an alert changes its status by the table: %s',
  async (kind) => {
    await db.query('delete from deliveries; delete from alerts')
    for (const { id, status, deliveries } of alertCases) await addAlert(id, status, deliveries)
    await alertEvents[kind]()
    const { rows: after } = await db.query<{ id: string; status: string }>('select id, status from alerts order by seq')
    expect(after).toEqual(
      alertCases.map(({ id, status, deliveries }) => ({
        id,
        status: moveAlert(status, { kind, deliveries, isCollected: false }) ?? status,
      })),
    )
  },
)

test('an alert is listed as pending while its delivery waits, and as delivered once the result is recorded', async () => {
  await db.query('delete from deliveries; delete from alerts')
  for (const id of ['first', 'second']) await addAlert(id, 'pending', ['pending'])
  expect(await listedBy('pending')).toEqual(['second', 'first'])
  const rest = { attempts: [], attemptsCount: 1, dueAt: at, sent: null, mayHaveArrived: false }
  await store.deliveries.recordResults([{ id: 'first1pending', status: 'delivered', ...rest }], at)
  await store.deliveries.updateAlertStatuses(['first'], at)
  expect(await listedBy('pending')).toEqual(['second'])
  expect(await listedBy('delivered')).toEqual(['first'])
})

async function listedBy(status: 'pending' | 'delivered'): Promise<string[]> {
  const { rows } = await store.alerts.list('a', { status }, { limit: 10 })
  expect(rows.map((row) => row.status)).toEqual(rows.map(() => status))
  return rows.map(({ id }) => id)
}

/** Each resource got an earlier delivery that was given up: only the latest one counts. */
async function addAlert(id: string, status: string, deliveries: readonly string[]): Promise<void> {
  await db.query(
    `insert into alerts (id, subscription_id, rule_id, account_id, workspace_id, project, trigger, status, source, block_number, block_hash,
       incarnation, finality, item_at, message, trace, created_at, updated_at)
     values ($1, 's', '', 'a', 'w', 'w.p', 'w.p.t', $2, 'w.own', 1, '0x1', 0, 'safe', now(), '{}', '{}', now(), now())`,
    [id, status],
  )
  await db.query(
    `insert into deliveries (id, alert_id, resource, blueprint, status, due_at, created_at, updated_at)
     select $1 || n || s, $1, 'w.' || n, 'common.delivery.webhook', s, now(), now(), now()
     from unnest($2::text[]) with ordinality d(status, n) cross join unnest(array['dead', d.status]) with ordinality e(s, place)
     where place = 2 or d.status <> 'dead' order by n, place`,
    [id, deliveries],
  )
}
