import type { AlertDestination, AlertState, AlertStatus, Message } from '@tocsin/contract'
import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely'
import type * as z from 'zod'
import { type Base, type PageQuery, pageOf } from '../core/base.ts'
import type { AlertsTable, DeliveriesTable, Tables } from '../core/tables.ts'
import { type AlertFilter, firstAlertPlaces } from './first-alerts.ts'

type PlainRow = Pick<Selectable<AlertsTable>, Unprefixed<(typeof columns)[number]>> & {
  status: AlertStatus
  workspace: string
  has_deliveries: boolean
  retry_error: string | null
  /** The resource that an alert about deliveries is about. */
  about_resource: string | null
}
type Unprefixed<Column> = Column extends `a.${infer Name}` ? Name : never
/** An alert as its subscriber, or an owner or admin of the subscription's workspace, sees it. Without the trace. */
export type AlertRow = PlainRow &
  Pick<Selectable<AlertsTable>, 'message' | 'created_at' | 'updated_at'> & { destinations: AlertDestination[] }
/** An alert of a page. Its JSON and its times are as PostgreSQL wrote them, because most of a long page is sent as it is. */
export type AlertTextRow = PlainRow & Record<'message' | 'destinations' | 'created_at' | 'updated_at', string>
export type TracedAlertRow = AlertRow & Pick<Selectable<AlertsTable>, 'rule_id' | 'policy_key' | 'trace'>
export type ResolvingRow = Pick<Selectable<AlertsTable>, 'id' | 'created_at' | 'duration_ms'>
export type DeliveryRow = Selectable<DeliveriesTable> & {
  /** The alert whose message tells of this one too. */
  folded_into_alert: string | null
  /** The number of other alerts that the message of this delivery tells of. */
  folded_count: number
}
export type { AlertFilter }

type Sql = RawBuilder<unknown>
/** Properties of an alert that no index holds. */
export type AlertMatch = {
  state?: AlertState
  /** Recorded at this time or later. */
  since?: Date
  /** A part of the message or of the trigger's name, in any case of letters. */
  words?: string
}

export function alertsTable({ db }: Pick<Base, 'db'>) {
  return {
    find(id: string, accountId: string): Promise<TracedAlertRow | undefined> {
      return visible(db, accountId)
        .select(values)
        .select(['a.rule_id', 'a.policy_key', 'a.trace'])
        .where('a.id', '=', id)
        .executeTakeFirst()
    },
    /** Without the alerts that the account may not see. */
    listVisible(ids: readonly string[], accountId: string): Promise<AlertRow[]> {
      return visible(db, accountId).select(values).where('a.id', '=', sql<string>`any(${ids})`).execute()
    },
    /**
     * Newest first. A cursor is the last row's `seq`. A page with a match has the rows that match among the next
     * `readMax` alerts, so it may be short or empty although more follow.
     */
    list(accountId: string, filter: AlertFilter & AlertMatch, page: PageQuery): Promise<ListPage<AlertRow>> {
      const read = (places: Sql) => rowsAt(db, accountId, places).select(values).execute()
      return readPage<AlertRow>(db, { accountId, filter, page, read })
    },
    /**
     * The same pages, as bytes, which `bytesOf` makes of each row. They are sorted here and not by PostgreSQL,
     * so that it sends the first rows while it reads the next.
     */
    listBytes(
      accountId: string,
      filter: AlertFilter & AlertMatch,
      page: PageQuery,
      bytesOf: (row: AlertTextRow) => Buffer,
    ): Promise<ListPage<AlertBytes>> {
      const read = async (places: Sql) => {
        const query = visible(db, accountId).select(texts).where(isAt(places)).compile()
        const { rows } = await db.executeQuery(query)
        return rows.map((row) => ({ seq: row.seq, bytes: bytesOf(row) })).sort((a, b) => Number(b.seq) - Number(a.seq))
      }
      return readPage<AlertBytes>(db, { accountId, filter, page, read })
    },
    listDeliveries(alertId: string): Promise<DeliveryRow[]> {
      return db
        .selectFrom('deliveries as d')
        .selectAll()
        .select([foldedIntoAlert.as('folded_into_alert'), foldedCount.as('folded_count')])
        .where('d.alert_id', '=', alertId)
        .orderBy('d.seq')
        .execute()
    },
    /** The alert that resolved a firing one. The caller checks who may see them; both have the same readers. */
    findResolving(alertId: string): Promise<ResolvingRow | undefined> {
      return db
        .selectFrom('alerts')
        .select(['id', 'created_at', 'duration_ms'])
        .where('resolves', '=', alertId)
        .where('status', '<>', 'retracted')
        .orderBy('seq', 'desc')
        .limit(1)
        .executeTakeFirst()
    },
    /** The position of the newest alert in an account's feed. */
    async findLastSeq(accountId: string): Promise<string> {
      const places = firstAlertPlaces(accountId, { filter: {}, from: undefined, order: 'newest', limit: 1 })
      const [row] = await rowsAt(db, accountId, places).execute()
      return row?.seq ?? '0'
    },
    /** Oldest first. The caller checks who may see them. */
    async listByIds(ids: readonly string[]): Promise<AlertRow[]> {
      if (ids.length === 0) return []
      return alertRows(db).select(values).where('a.id', '=', sql<string>`any(${ids})`).orderBy('a.seq').execute()
    },
    /** The alerts that changed after the time beside their id. The caller checks who may see them. */
    async listChanged(known: readonly { id: string; at: Date }[]): Promise<AlertRow[]> {
      if (known.length === 0) return []
      const [ids, times] = [known.map(({ id }) => id), known.map(({ at }) => at.toISOString())]
      const since = sql<boolean>`a.updated_at > (select k.at from unnest(${ids}::text[], ${times}::timestamptz[]) k(id, at) where k.id = a.id)`
      return alertRows(db)
        .select(values)
        .where('a.id', '=', sql<string>`any(${ids})`)
        .where(since)
        .orderBy('a.seq')
        .execute()
    },
  }
}

const columns = [
  'a.id',
  'a.seq',
  'a.subscription_id',
  'a.workspace_id',
  'a.project',
  'a.trigger',
  'a.severity',
  'a.state',
  'a.resolves',
  'a.duration_ms',
  'a.reason',
  'a.source',
  'a.block_number',
  'a.block_hash',
  'a.shown_block',
  'a.backfilled',
] as const

const isRetrying = sql<boolean>`d.status = 'pending' and d.attempts_count > 0`

/** The error of the last attempt of a delivery that will be retried; any one of them if several are pending. */
const retryError = sql<string | null>`max(d.attempts->-1->>'error') filter (where ${isRetrying} and d.kind = 'alert')`

const isDestination = sql<boolean>`d.kind = 'alert' and d.repeat = 0`
const destination = sql`json_build_object('resource', d.resource, 'blueprint', d.blueprint, 'status', d.status,
  'isRetrying', ${isRetrying})`

/**
 * JSON, as text: one entry for each destination, with the keys of the view. Most alerts have one delivery, and an aggregate
 * that sorts takes longer than this text. `min` of one row is its value.
 */
const destinations = sql<string>`case when count(*) = 0 then '[]'
  when count(*) = 1 and bool_and(${isDestination}) then '[{"resource":' || to_json(min(d.resource))
    || ',"blueprint":' || to_json(min(d.blueprint)) || ',"status":"' || min(d.status) || '","isRetrying":'
    || case when bool_and(${isRetrying}) then 'true}]' else 'false}]' end
  else (select coalesce(json_agg(${destination} order by d.seq), '[]')::text from deliveries d
    where d.alert_id = a.id and ${isDestination}) end`

/** What a reader gets as values or as text. */
const values = [
  sql<z.output<typeof Message>>`a.message`.as('message'),
  sql<AlertDestination[]>`(delivery.destinations)::json`.as('destinations'),
  sql<Date>`a.created_at`.as('created_at'),
  sql<Date>`a.updated_at`.as('updated_at'),
]
const texts = [
  sql<string>`a.message::text`.as('message'),
  sql<string>`delivery.destinations`.as('destinations'),
  sql<string>`a.created_at::text`.as('created_at'),
  sql<string>`a.updated_at::text`.as('updated_at'),
]

export type AlertBytes = { seq: string; bytes: Buffer }
type ListPage<Row> = { rows: Row[]; next?: string | undefined }
type PageRead<Row> = {
  accountId: string
  filter: AlertFilter & AlertMatch
  page: PageQuery
  read(places: Sql): Promise<Row[]>
}

async function readPage<Row extends { seq: string }>(
  db: Kysely<Tables>,
  { accountId, filter, page, read }: PageRead<Row>,
): Promise<ListPage<Row>> {
  if (!hasMatch(filter)) {
    const rows = await read(firstPlaces(accountId, filter, page.after, page.limit + 1))
    return pageOf(rows, page.limit, (row) => row.seq)
  }
  const matches = await read(matchingPlaces(db, accountId, filter, page))
  if (matches.length > page.limit) return pageOf(matches, page.limit, (row) => row.seq)
  const last = await findLastRead(db, accountId, filter, page.after)
  const isEnd = last === undefined || (filter.since !== undefined && last.created_at < filter.since)
  return { rows: matches, next: isEnd ? undefined : last.seq }
}

function rowsAt(db: Kysely<Tables>, accountId: string, places: Sql) {
  return visible(db, accountId).where(isAt(places)).orderBy('a.seq', 'desc')
}

function firstPlaces(accountId: string, filter: AlertFilter, after: string | undefined, limit: number): Sql {
  const from = after === undefined ? undefined : sql`x.seq < ${after}`
  return firstAlertPlaces(accountId, { filter, from, order: 'newest', limit })
}

/** How many alerts a page with a match reads at most. */
const readMax = 2_000

function hasMatch({ state, since, words }: AlertMatch): boolean {
  return state !== undefined || since !== undefined || words !== undefined
}

/** The deliveries are looked up for the page only, not for all alerts that it read. */
function matchingPlaces(db: Kysely<Tables>, accountId: string, filter: AlertFilter & AlertMatch, page: PageQuery): Sql {
  const { state, since, words } = filter
  const pattern = `%${(words ?? '').replaceAll(/[\\%_]/g, '\\$&')}%`
  const matches = db
    .selectFrom('alerts as a')
    .select(sql`a.ctid`.as('place'))
    .where(isAt(firstPlaces(accountId, filter, page.after, readMax)))
    .$if(state !== undefined, (rows) => rows.where('a.state', '=', state ?? null))
    .$if(since !== undefined, (rows) => rows.where('a.created_at', '>=', since ?? new Date(0)))
    .$if(words !== undefined, (rows) =>
      rows.where(
        sql<boolean>`concat_ws(' ', a.message->>'title', a.message->>'short', a.message->>'long', a.trigger) ilike ${pattern}`,
      ),
    )
    .orderBy('a.seq', 'desc')
    .limit(page.limit + 1)
  return sql`(${matches})`
}

/** On a row `a` of `alerts`: its place is one of these. An array, because PostgreSQL might read all alerts for a join. */
function isAt(places: Sql): RawBuilder<boolean> {
  return sql<boolean>`a.ctid = any(array${places})`
}

/** The oldest alert that the page read; undefined if the page read all. */
async function findLastRead(db: Kysely<Tables>, accountId: string, filter: AlertFilter, after: string | undefined) {
  const last = await db
    .selectFrom('alerts as a')
    .select(['a.seq', 'a.created_at'])
    .select(sql<number>`(count(*) over ())::int`.as('count'))
    .where(isAt(firstPlaces(accountId, filter, after, readMax)))
    .orderBy('a.seq')
    .limit(1)
    .executeTakeFirst()
  return last && last.count >= readMax ? last : undefined
}

/**
 * On a row `d` of `deliveries`. A delivery with an attempt had a message of its own. What was dropped before its message was sent
 * is in none.
 */
const isTold = (one: string) => sql<boolean>`${sql.ref(one)}.attempts_count = 0 and ${sql.ref(one)}.status <> 'dropped'`
const foldedIntoAlert = sql<string | null>`case when ${isTold('d')} then (select c.alert_id from deliveries c
  where c.id = d.folded_into and c.status <> 'dropped') end`
const foldedCount = sql<number>`(select count(*)::int from deliveries m where m.folded_into = d.id and ${isTold('m')})`

/** An alert is visible to its subscriber and to the owners and admins of its workspace. `alert-feed.ts` applies the same rule to many. */
function visible(db: Kysely<Tables>, accountId: string) {
  return alertRows(db)
    .leftJoin('members as m', (join) =>
      join.onRef('m.workspace_id', '=', 'a.workspace_id').on('m.account_id', '=', accountId),
    )
    .where((where) => where.or([sql<boolean>`a.account_id = ${accountId}`, where('m.level', 'in', ['owner', 'admin'])]))
}

function alertRows(db: Kysely<Tables>) {
  return db
    .selectFrom('alerts as a')
    .innerJoin('workspaces as w', 'w.id', 'a.workspace_id')
    .innerJoinLateral(
      (from) =>
        from
          .selectFrom('deliveries as d')
          .select(sql<boolean>`count(*) > 0`.as('has_any'))
          .select([retryError.as('error'), destinations.as('destinations')])
          .whereRef('d.alert_id', '=', 'a.id')
          .as('delivery'),
      (join) => join.onTrue(),
    )
    .select(columns)
    .select([
      'a.status',
      'delivery.has_any as has_deliveries',
      'w.fullname as workspace',
      'delivery.error as retry_error',
    ])
    .select(sql<string | null>`case when a.kind = 'health' then a.trace->'item'->>'resource' end`.as('about_resource'))
}
