/** A store with resources and alerts, receivers on loopback, and as many deliver loops as a test starts. */
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Message } from '@tocsin/contract'
import pg from 'pg'
import { type ChannelOptions, makeChannels } from '../../server/src/engine/destinations/index.ts'
import { openDoor } from '../../server/src/engine/outbound/index.ts'
import { makeMetrics } from '../../server/src/metrics/index.ts'
import { type DeliverOptions, startDeliver } from '../../server/src/runtime/deliver/index.ts'
import { deliveryId } from '../../server/src/store/alerts/delivery-id.ts'
import { makeSecretBox } from '../../server/src/store/core/secret-box.ts'
import type { DeliveryAttempt } from '../../server/src/store/core/tables.ts'
import { openStore } from '../../server/src/store/index.ts'
import { takeDatabase } from './database.ts'
import { lookUntil, patienceMs } from './look-until.ts'

export type Received = { path: string; headers: IncomingHttpHeaders; body: string; atMs: number }
export type Answer = { status: number; headers?: Record<string, string>; body?: string } | 'silence' | 'cut'
export type Receiver = {
  url: string
  received: Received[]
  answer: (request: Received) => Answer | Promise<Answer>
  /** Resolves when the connection of a request is closed, with or without a reply. */
  left?: (request: Received) => void
  close(): void
}

const box = makeSecretBox(Buffer.alloc(32, 7))
const quiet = { info() {}, warn() {}, error() {} }

export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = []
  const receiver: Omit<Receiver, 'url'> = { received, answer: () => ({ status: 204 }), close: () => undefined }
  const server: Server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString()
    const taken = { path: request.url ?? '', headers: request.headers, body, atMs: performance.now() }
    received.push(taken)
    response.on('close', () => receiver.left?.(taken))
    const answer = await receiver.answer(taken)
    if (answer === 'cut') return void request.socket.destroy()
    if (answer === 'silence') return
    response.writeHead(answer.status, answer.headers).end(answer.body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  receiver.close = () => {
    server.closeAllConnections()
    server.close()
  }
  return Object.assign(receiver, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook` })
}

export async function deliveryBench(channels: Partial<ChannelOptions> = {}) {
  const { url, giveBack } = await takeDatabase()
  const db = new pg.Client({ connectionString: url })
  await db.connect()
  let nowMs = Date.parse('2030-01-01T00:00:00.000Z')
  const clock = {
    now: () => new Date(nowMs),
    advance: (ms: number) => {
      nowMs += ms
    },
  }
  const door = openDoor({ allowPrivateNetworks: true })
  const ends: (() => Promise<void>)[] = []
  await seed(db)

  const destinationDeps = {
    ...makeChannels({
      door,
      operatorDoor: door,
      rates: { emailPerMinute: 10 },
      unsubscribeUrl: (id) => `https://tocsin.example/api/unsubscribe/${id}.signed`,
      alertsUrl: (workspace, id) => `https://tocsin.example/w/${workspace}/alerts?subscription=${id}`,
      alertUrl: () => '',
      networkTitle: () => undefined,
      ...channels,
    }),
    clock: clock.now,
  }
  ends.push(async () => destinationDeps.close())

  /** Starts a deliver loop that the store cannot distinguish from another process. */
  async function start(options: Partial<DeliverOptions> = {}) {
    const store = openStore(url, box, { connectionsMax: 6 })
    await store.jobQueue.start({ supervise: true, warn: () => undefined })
    const given = {
      store,
      destinationDeps,
      clock: clock.now,
      log: quiet,
      meter: makeMetrics().meter,
      crashPoint: () => undefined,
      disableDays: 3,
      ...options,
    }
    const running = await startDeliver({ random: () => 0.5, findDueMs: 50, ...given })
    let isOver = false
    const stop = async () => {
      if (isOver) return
      isOver = true
      await running.stop()
      await store.close()
    }
    ends.push(stop)
    return { store, stop }
  }
  const reader = openStore(url, box, { connectionsMax: 1 })
  ends.push(() => reader.close())
  const query = async <Row extends pg.QueryResultRow>(text: string, values: unknown[] = []) =>
    (await db.query<Row>(text, values)).rows

  return {
    url,
    clock,
    door,
    destinationDeps,
    query,
    start,
    /** A store without a loop. */
    async openStore() {
      const store = openStore(url, box, { connectionsMax: 4 })
      await store.jobQueue.start({ supervise: false, warn: () => undefined })
      ends.push(() => store.close())
      return store
    },
    async resource(name: string, data: object, blueprint = 'common.delivery.webhook', kept?: object): Promise<string> {
      await query(
        `insert into resources (id, workspace_id, name, fullname, blueprint, ready, data, private, tags, labels, meta, created_at, updated_at)
         values ($1, 'w', $1, 'acme.' || $1, $2, true, $3, $4, '[]', '{}', '{}', now(), now())`,
        [name, blueprint, box.sealJson(data), kept ? box.sealJson(kept) : null],
      )
      return name
    },
    /** Inserts an alert and its delivery to each resource, as a commit of the evaluate loop does. */
    async alert(
      id: string,
      resources: string[],
      message: Partial<Message> = {},
      extra: { status?: string; columns?: Record<string, string> } = {},
    ): Promise<void> {
      await insertAlerts(db, [id], message, clock.now(), extra.status ?? 'pending')
      for (const [column, value] of Object.entries(extra.columns ?? {}))
        await query(`update alerts set ${column} = $2 where id = $1`, [id, value])
      await insertDeliveries(db, [id], resources, clock.now())
    },
    async alerts(ids: string[], resources: string[]): Promise<void> {
      await insertAlerts(db, ids, {}, clock.now(), 'pending')
      await insertDeliveries(db, ids, resources, clock.now())
    },
    async deliveries(alertId: string) {
      return query<{
        id: string
        kind: string
        status: string
        attempts: DeliveryAttempt[]
        due_at: Date
        resource_id: string
        sent: unknown
      }>(
        `select id, kind, status, attempts, due_at, resource_id, sent from deliveries where alert_id = $1 order by seq`,
        [alertId],
      )
    },
    /** All deliveries in the order in which they are sent, with their attempts, for the message of a wait that failed. */
    async describeDeliveries(): Promise<string> {
      const rows = await query<{ line: string }>(
        `select concat_ws(' ', d.alert_id, d.kind, 'to', d.resource_id, d.status, 'due', to_char(d.due_at at time zone 'utc',
           'HH24:MI:SS.MS'), 'lane not before', coalesce(to_char(l.not_before at time zone 'utc', 'HH24:MI:SS.MS'), '-'),
           d.attempts) as line
         from deliveries d left join lanes l on l.resource_id = d.resource_id order by d.seq limit 50`,
      )
      return [`The bench's clock: ${clock.now().toISOString()}`, ...rows.map(({ line }) => line)].join('\n')
    },
    /** The alert as its subscriber sees it. */
    async statusOf(alertId: string): Promise<string | undefined> {
      return (await reader.alerts.find(alertId, 'a'))?.status
    },
    async close() {
      await Promise.all(ends.map((end) => end()))
      await door.close()
      await db.end()
      await giveBack()
    },
  }
}
export type DeliveryBench = Awaited<ReturnType<typeof deliveryBench>>

async function seed(db: pg.Client): Promise<void> {
  const tagged = "'[]', '{}', '{}', now(), now()"
  await db.query(
    `insert into accounts (id, email, email_key, name, created_at, updated_at) values ('a', 'a@b.c', 'a@b.c', 'Ann', now(), now())`,
  )
  await db.query(
    `insert into workspaces (id, fullname, invite, invite_hash, tags, labels, meta, created_at, updated_at) values ('w', 'acme', '', '', ${tagged})`,
  )
  await db.query(`insert into projects (id, workspace_id, name, fullname, access_level, visibility, tags, labels, meta, created_at, updated_at)
    values ('p', 'w', 'p', 'acme.p', 'private', 'personal', ${tagged})`)
  await db.query(`insert into triggers (id, project_id, name, fullname, definition, providers, status, tags, labels, meta, created_at, updated_at)
    values ('t', 'p', 't', 'acme.p.t', '{"backend":{}}', '', '{}', ${tagged})`)
  await db.query(`insert into subscriptions (id, account_id, workspace_id, project_id, trigger_id, meta, created_at, updated_at)
    values ('s', 'a', 'w', 'p', 't', '{}', now(), now())`)
}

async function insertAlerts(db: pg.Client, ids: string[], message: Partial<Message>, at: Date, status: string) {
  const trace = {
    item: {},
    inputs: {},
    providers: {},
    activated: true,
    raw: { amount: '12' },
    human: { amount: '1.2' },
  }
  await db.query(
    `insert into alerts (id, subscription_id, account_id, workspace_id, project_id, trigger_id, project, trigger, status, reason,
       source, block_number, block_hash, incarnation, item_at, message, trace, created_at, updated_at)
     select id, 's', 'a', 'w', 'p', 't', 'acme.p', 'acme.p.t', $2, null, 'acme.chain', 7, '0xb', 0, $3, $4, $5, $3, $3
     from unnest($1::text[]) as id`,
    [ids, status, at, JSON.stringify({ title: 'Moved', ...message }), JSON.stringify(trace)],
  )
}

/** Channels that keep the order send by the order of the rows, so it must not depend on how PostgreSQL plans the join. */
async function insertDeliveries(db: pg.Client, alertIds: string[], resources: string[], at: Date) {
  const rows = alertIds.flatMap((alert) =>
    resources.map((resource) => ({ id: deliveryId(alert, resource, 'alert'), alert, resource })),
  )
  await db.query(
    `insert into deliveries (id, alert_id, resource_id, resource, blueprint, status, due_at, created_at, updated_at)
     select d.id, d.alert, d.resource, r.fullname, r.blueprint, 'pending', $2, $2, $2
     from rows from (json_to_recordset($1) as (id text, alert text, resource text)) with ordinality
       as d (id, alert, resource, place) join resources r on r.id = d.resource
     order by d.place`,
    [JSON.stringify(rows), at],
  )
}

/** `seen` says what there is instead if the condition never holds. */
export async function until(
  holds: () => boolean | Promise<boolean>,
  what = 'the condition',
  seen?: () => Promise<string>,
): Promise<void> {
  const { isSo } = await lookUntil(holds, Boolean, patienceMs)
  if (!isSo) throw new Error([`Waited too long for ${what}`, await seen?.()].filter(Boolean).join('\n'))
}
