/** A store with triggers and subscriptions, the real sandbox, and as many evaluate loops as a test starts. */
import { randomUUID } from 'node:crypto'
import type { Condition, DeliveryMode, Overrides, Policy } from '@tocsin/contract'
import pg from 'pg'
import type * as z from 'zod'
import { startEngine } from '../../server/src/engine/engine.ts'
import { makeMetrics } from '../../server/src/metrics/index.ts'
import type { RuntimeDeps } from '../../server/src/runtime/deps.ts'
import { type EvaluateOptions, startEvaluate } from '../../server/src/runtime/evaluate/index.ts'
import type { EvaluateJob, Match } from '../../server/src/runtime/jobs/job.ts'
import { makeListeners } from '../../server/src/runtime/listeners/make-listeners.ts'
import { unpack } from '../../server/src/store/core/packing.ts'
import { makeSecretBox } from '../../server/src/store/core/secret-box.ts'
import { type OpenStore, openStore, type Store } from '../../server/src/store/index.ts'
import type { ClaimedJob, QueueName } from '../../server/src/store/jobs/job.ts'
import { takeDatabase } from './database.ts'
import { lookUntil, patienceMs } from './look-until.ts'

const box = makeSecretBox(Buffer.alloc(32, 7))
type Definition = Record<string, unknown> & { providers?: Record<string, unknown>[] }
export type Subscribing = {
  id?: string
  inputs?: Record<string, unknown>
  conditions?: Condition | null
  policy?: Policy
  delivery?: z.input<typeof DeliveryMode>
  overrides?: Overrides
  resources?: string[]
}
export type Happening = Partial<Omit<EvaluateJob, 'matches'>> & { items?: Record<string, unknown>[]; matches?: Match[] }
export type AlertRow = Record<'id' | 'kind' | 'status' | 'subscription_id' | 'trigger', string> & {
  message: { title: string; short?: string; long?: string; links?: { title: string; url: string }[] }
  trace: {
    item: Record<string, unknown>
    /** Null if no item caused the alert: a firing `count` that ends. */
    raw: Record<string, unknown> | null
    human: unknown
    inputs: Record<string, unknown>
    digest?: string[]
    policy?: Record<string, unknown>
  }
  item_at: Date
}
export type EvaluationHouse = Awaited<ReturnType<typeof evaluationHouse>>

export async function evaluationHouse() {
  const { url, giveBack } = await takeDatabase()
  const db = new pg.Client({ connectionString: url })
  await db.connect()
  const query = async <Row extends pg.QueryResultRow>(text: string, values: unknown[] = []) =>
    (await db.query<Row>(text, values)).rows
  let nowMs = Date.parse('2030-01-01T00:00:00.000Z')
  const clock = {
    now: () => new Date(nowMs),
    advance: (ms: number) => {
      nowMs += ms
    },
  }
  const engine = startEngine({ allowPrivateNetworks: true, sourceTimeoutMs: 10_000 })
  const ends: (() => Promise<void>)[] = [() => engine.close()]
  await seed(db)

  /** Starts an evaluate loop that the store cannot distinguish from another process. */
  async function openDeps(extra: Partial<RuntimeDeps> = {}) {
    const store = openStore(url, box, { connectionsMax: 6 })
    await store.jobQueue.start({ supervise: true, warn: () => undefined })
    const listeners = makeListeners({ store, engine, networks: [], warn: () => undefined })
    await listeners.load()
    const log = { info() {}, warn() {}, error() {} }
    const deps: RuntimeDeps = {
      store,
      engine,
      listeners,
      networks: [],
      clock: clock.now,
      now: () => performance.now(),
      log,
      meter: makeMetrics().meter,
      crashPoint: () => undefined,
      ...extra,
    }
    ends.push(() => store.close())
    return deps
  }

  return {
    url,
    clock,
    query,
    engine,
    openDeps,
    async start(options: EvaluateOptions = {}, extra: Partial<RuntimeDeps> = {}) {
      const deps = await openDeps(extra)
      const running = await startEvaluate(deps, options)
      return { deps, stop: () => running.stop() }
    },
    async trigger(name: string, definition: Definition = {}): Promise<string> {
      const { providers = [], ...rest } = definition
      const whole = {
        backend: { type: 'sdk' },
        inputs: {},
        triggerSpec: { type: 'timer', interval: '1m' },
        transform: null,
        activation: null,
        executionPolicy: null,
        ...rest,
      }
      const id = `t-${name}`
      await query(
        `insert into triggers (id, project_id, name, fullname, definition, providers, status, tags, labels, meta, created_at, updated_at)
         values ($1, 'p', $2, 'acme.p.' || $2, $3, $4, '{"status":"not_tested","updatedAt":"2030-01-01T00:00:00.000Z"}', '[]', '{}',
           json_build_object('title', 'Trigger ' || $2), now(), now())
         on conflict (id) do update set definition = excluded.definition, providers = excluded.providers`,
        [id, name, whole, box.sealJson(providers)],
      )
      return id
    },
    async subscribe(triggerId: string, given: Subscribing = {}): Promise<string> {
      const id = given.id ?? `s-${randomUUID()}`
      const { inputs, conditions, policy, delivery, overrides, resources = ['hook'] } = given
      const text = (value: unknown) => (value === undefined || value === null ? null : JSON.stringify(value))
      await query(
        `insert into subscriptions (id, account_id, workspace_id, project_id, trigger_id, inputs, conditions, policy, delivery, overrides, meta, created_at, updated_at)
         values ($1, 'a', 'w', 'p', $2, $3, $4, $5, $6, $7, '{}', now(), now())`,
        [id, triggerId, text(inputs), text(conditions), text(policy), text(delivery), text(overrides)],
      )
      for (const [position, resource] of resources.entries())
        await query('insert into subscription_resources values ($1, $2, $3)', [id, resource, position])
      return id
    },
    resource: (id: string, isReady = true) => addResource(db, id, isReady),
    /** Enqueues matches as the follow loop does, for all present listeners of the trigger. */
    async happen(store: Pick<Store, 'jobs'>, triggerId: string, given: Happening = {}, queue: QueueName = 'evaluate') {
      const { items = [{ n: 1 }], matches, ...rest } = given
      const rows = await query<{ key: string }>(
        `select id || ':' as key from subscriptions where trigger_id = $1 and not paused`,
        [triggerId],
      )
      const listeners = rows.map(({ key }) => key)
      const label = given.block?.hash ?? randomUUID()
      const found = matches ?? items.map((item, index) => ({ key: `${label}:${index}`, item, listeners }))
      const job: EvaluateJob = { triggerId, source: null, block: null, nowMs, matches: found, depth: 0, ...rest }
      const id = randomUUID()
      await store.jobs.add(queue, [
        { id, data: job, group: triggerId, ...(queue === 'evaluate-ordered' && { key: triggerId }) },
      ])
      return id
    },
    /** Claims one job, like a process that may die right after. */
    async claim<T = EvaluateJob>(store: OpenStore, queue: QueueName = 'evaluate'): Promise<ClaimedJob<T>> {
      const [job] = await store.jobQueue.pgBoss().fetch<T>(queue, { batchSize: 1 })
      if (!job) throw new Error('There is no job to claim')
      const { id, retryCount, data } = job
      return { queue, id, retryCount, data: unpack(data), signal: new AbortController().signal }
    },
    /** The alerts with the parts that a trace leaves out because they are equal to others. */
    async alerts(): Promise<AlertRow[]> {
      const rows = await query<AlertRow>('select * from alerts order by item_at, seq')
      return rows.map((row) => {
        const { raw = row.trace.item, human = raw } = row.trace
        return { ...row, trace: { ...row.trace, raw, human } }
      })
    },
    deliveries: () =>
      query<{ alert_id: string; resource_id: string; status: string; attempts: { error?: string }[] }>(
        `select * from deliveries order by seq`,
      ),
    /** Lets the jobs of a queue that start later start now, and notifies the pumps, as an insert of new jobs does. */
    async hurry(queue: QueueName): Promise<void> {
      await query('update pgboss.job set start_after = now() where name = $1 and start_after > now()', [queue])
      await query(`select pg_notify('pgboss_' || left(encode(sha224('pgboss'::bytea), 'hex'), 24), $1)`, [queue])
    },
    /** Resolves when no job waits or runs, except jobs that start later. */
    async settled(): Promise<void> {
      await waitFor(async () => {
        const [row] = await query<{ count: number }>(
          `select count(*)::int as count from pgboss.job where name in ('evaluate', 'evaluate-ordered', 'policy')
             and state < 'completed' and start_after <= now()`,
        )
        return row?.count === 0
      })
    },
    async close() {
      for (const end of ends.splice(0).reverse()) await end()
      await db.end()
      await giveBack()
    },
  }
}

export async function waitFor(holds: () => Promise<boolean> | boolean, ms = patienceMs): Promise<void> {
  const { isSo } = await lookUntil(holds, Boolean, ms)
  if (!isSo) throw new Error('waited in vain')
}

async function seed(db: pg.Client): Promise<void> {
  await db.query(
    `insert into accounts (id, email, email_key, name, created_at, updated_at) values ('a', 'a@b', 'a@b', 'Ann', now(), now())`,
  )
  await db.query(
    `insert into workspaces (id, fullname, tags, labels, meta, invite, invite_hash, created_at, updated_at)
     values ('w', 'acme', '[]', '{}', '{}', '', '', now(), now())`,
  )
  await db.query(
    `insert into projects (id, workspace_id, name, fullname, visibility, access_level, tags, labels, meta, created_at, updated_at)
     values ('p', 'w', 'p', 'acme.p', 'personal', 'private', '[]', '{}', '{"title":"P","description":""}', now(), now())`,
  )
  await db.query(
    `insert into members (id, workspace_id, account_id, level, created_at, updated_at) values ('m', 'w', 'a', 'owner', now(), now())`,
  )
  await addResource(db, 'hook', true)
}

async function addResource(db: pg.Client, id: string, isReady: boolean): Promise<string> {
  await db.query(
    `insert into resources (id, workspace_id, name, fullname, blueprint, ready, remark, tags, labels, meta, created_at, updated_at)
     values ($1, 'w', $1, 'acme.' || $1, 'common.delivery.webhook', $2, $3, '[]', '{}', '{}', now(), now())`,
    [id, isReady, isReady ? null : 'Setup is not finished'],
  )
  return id
}
