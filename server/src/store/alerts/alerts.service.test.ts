import { afterAll, beforeAll, expect, test } from 'vitest'
import { openStoreWithOwner, type StoreWithOwner } from '../../../../tests/harness/store-with-owner.ts'
import type { PageQuery } from '../index.ts'
import type { AlertTextRow } from './alerts.ts'

let store: StoreWithOwner['store']
let db: StoreWithOwner['db']
let close: StoreWithOwner['close']

beforeAll(async () => {
  ;({ store, db, close } = await openStoreWithOwner('w'))
})
afterAll(() => close())

async function listBytes(page: PageQuery, textOf: (row: AlertTextRow) => string) {
  const { rows, next } = await store.alerts.listBytes('a', {}, page, (row) => Buffer.from(textOf(row)))
  return { texts: rows.map(({ bytes }) => String(bytes)), next }
}

type Delivery = { resource: string; status: string; kind?: string; attempts?: number; repeat?: number }

async function addAlert(id: string, deliveries: readonly Delivery[]): Promise<void> {
  await db.query(
    `insert into alerts (id, account_id, workspace_id, project, trigger, status, item_at, message, trace, created_at, updated_at)
     values ($1, 'a', 'w', 'w.p', 'w.p.t', 'failed', now(), '{"title":"T"}', '{}', now(), now())`,
    [id],
  )
  for (const [at, { resource, status, kind = 'alert', attempts = 0, repeat = 0 }] of deliveries.entries())
    await db.query(
      `insert into deliveries
         (id, alert_id, resource, blueprint, status, kind, attempts_count, repeat, due_at, created_at, updated_at)
       values ($1, $2, $3, 'common.delivery.webhook', $4, $5, $6, $7, now(), now(), now())`,
      [`${id} ${at}`, id, resource, status, kind, attempts, repeat],
    )
}

const shown = (resource: string, status: string, isRetrying = false) => ({
  ...{ resource, blueprint: 'common.delivery.webhook', status, isRetrying },
})

test('an alert shows each destination once, in the order of its deliveries, as values and as text, newest first', async () => {
  const hostile = 'w."}],\\ \u2028 🦊'
  const expected: Record<string, { deliveries: Delivery[]; destinations: object[] }> = {
    none: { deliveries: [], destinations: [] },
    one: { deliveries: [{ resource: hostile, status: 'delivered' }], destinations: [shown(hostile, 'delivered')] },
    retrying: {
      deliveries: [{ resource: 'w.a', status: 'pending', attempts: 1 }],
      destinations: [shown('w.a', 'pending', true)],
    },
    retraction: { deliveries: [{ resource: 'w.a', status: 'delivered', kind: 'retraction' }], destinations: [] },
    repeat: { deliveries: [{ resource: 'w.a', status: 'pending', repeat: 1 }], destinations: [] },
    several: {
      deliveries: [
        { resource: 'w.b', status: 'dead', attempts: 3 },
        { resource: 'w.a', status: 'delivered', attempts: 1 },
        { resource: 'w.b', status: 'delivered', kind: 'retraction' },
        { resource: 'w.a', status: 'pending', repeat: 1 },
      ],
      destinations: [shown('w.b', 'dead'), shown('w.a', 'delivered')],
    },
  }
  for (const [id, { deliveries }] of Object.entries(expected)) await addAlert(id, deliveries)
  // An update moves a row to another place.
  await db.query("update alerts set reason = 'r' where id in ('one', 'retraction')")
  const wanted = Object.entries(expected)
    .map(([id, { destinations }]) => ({ id, destinations }))
    .toReversed()
  const values = await store.alerts.list('a', {}, { limit: 10 })
  expect(values.rows.map(({ id, destinations }) => ({ id, destinations }))).toEqual(wanted)
  const bytes = await listBytes(
    { limit: 10 },
    ({ id, destinations }) => `{"id":"${id}","destinations":${destinations}}`,
  )
  expect(bytes.texts.map((text) => JSON.parse(text))).toEqual(wanted)
})

test('pages of texts follow each other without a gap or a repeat', async () => {
  const seen: string[] = []
  let after: string | undefined
  do {
    const { texts, next } = await listBytes({ limit: 4, after }, ({ id }) => id)
    seen.push(...texts)
    after = next
  } while (after !== undefined)
  expect(seen).toEqual(['several', 'repeat', 'retraction', 'retrying', 'one', 'none'])
})
