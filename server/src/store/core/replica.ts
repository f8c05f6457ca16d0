import { setTimeout as pause } from 'node:timers/promises'
import { Kysely, PostgresDialect, sql, type Transaction } from 'kysely'
import { openPool } from './pool.ts'
import { nameStatements } from './statements.ts'
import type { Tables } from './tables.ts'

/** `replica`: read there. The others were read on the primary: the replica was behind, failed, or was not asked. */
export type ReadOutcome = 'replica' | 'behind' | 'failed' | 'resting'
export type ReplicaOptions = {
  url: string
  /** How long a read waits until the replica has replayed the primary's position. */
  lagMs: number
  log: Record<'info' | 'warn', (fields: Record<string, unknown>, message: string) => void>
}
export type Fallback<T> = {
  onPrimary(): Promise<T>
  /** True for an error that is the result of the work, such as a refusal. The primary would give the same. */
  isResult(error: unknown): boolean
}
type Deps = { primary: Kysely<Tables>; connectionsMax: number }
type Work<T> = (trx: Transaction<Tables>) => Promise<T>
type Position = { lsn: string; timeline: number }
type Result<T> = { value: T } | { error: unknown }

/** A replica that failed or was behind is not asked for this time, so that not every read waits for it. */
const restMs = 1_000
const connectMs = 1_000
const queryMs = 10_000
const firstPauseMs = 2

/**
 * Reads on a streaming replica. A read must see everything that was committed before it began: the caller's own saves, and
 * every change of a permission. So each read asks the primary for its WAL position first, and waits until the replica has
 * replayed it. If that takes too long, or the replica fails, the work runs again on the primary.
 *
 * The check and the work share one transaction, so that both reach the same server if several replicas share an address.
 */
export class Replica {
  readonly counts: Record<ReadOutcome, number> = { replica: 0, behind: 0, failed: 0, resting: 0 }
  readonly #options: ReplicaOptions
  readonly #deps: Deps
  #db: Kysely<Tables> | undefined
  #restsUntil = Number.NEGATIVE_INFINITY
  #isInUse = true

  constructor(options: ReplicaOptions, deps: Deps) {
    this.#options = options
    this.#deps = deps
  }

  async read<T>(work: Work<T>, { onPrimary, isResult }: Fallback<T>): Promise<T> {
    if (performance.now() < this.#restsUntil) {
      this.counts.resting++
      return onPrimary()
    }
    const position = await readPosition(this.#deps.primary)
    const result = await this.#readAt(position, (trx) => resultOf(work(trx), isResult))
    if (!result) return onPrimary()
    if ('error' in result) throw result.error
    return result.value
  }

  async close(): Promise<void> {
    await this.#db?.destroy()
  }

  async #readAt<T>(position: Position, work: Work<Result<T>>): Promise<Result<T> | undefined> {
    const done: { result?: Result<T> } = {}
    try {
      this.#db ??= openDatabase(this.#options.url, this.#deps.connectionsMax)
      await this.#db
        .transaction()
        .setAccessMode('read only')
        .execute(async (trx) => {
          if (await waitForReplay(trx, position, this.#options.lagMs)) done.result = await work(trx)
        })
      if (done.result) this.#recordUse()
      else this.#rest('behind', 'the replica is behind')
    } catch (error) {
      this.#rest('failed', 'the replica cannot be read', error)
      // The state of the connections is unknown, so the next read opens new ones.
      void this.#db?.destroy().catch(() => undefined)
      this.#db = undefined
    }
    // The result counts even if the end of its transaction failed.
    return done.result
  }

  #recordUse(): void {
    this.counts.replica++
    if (!this.#isInUse) this.#options.log.info({}, 'lists are read from the replica again')
    this.#isInUse = true
  }

  #rest(outcome: 'behind' | 'failed', reason: string, error?: unknown): void {
    this.counts[outcome]++
    this.#restsUntil = performance.now() + restMs
    const fields = error === undefined ? {} : { error: error instanceof Error ? error.message : String(error) }
    if (this.#isInUse) this.#options.log.warn(fields, `${reason}; lists are read from the primary`)
    this.#isInUse = false
  }
}

function openDatabase(url: string, connectionsMax: number): Kysely<Tables> {
  const pool = openPool(url, connectionsMax, { connectionTimeoutMillis: connectMs, query_timeout: queryMs })
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool: nameStatements(pool) }) })
}

async function resultOf<T>(work: Promise<T>, isResult: (error: unknown) => boolean): Promise<Result<T>> {
  try {
    return { value: await work }
  } catch (error) {
    if (isResult(error)) return { error }
    throw error
  }
}

const timelineAt = (lsn: string) => sql.raw(`('x' || left(pg_walfile_name(${lsn}), 8))::bit(32)::integer`)

/**
 * A commit is visible after its WAL was flushed, or, without synchronous commit, after it was inserted. The timeline tells a
 * replica that did not follow the last failover: its positions belong to another history.
 */
async function readPosition(primary: Kysely<Tables>): Promise<Position> {
  const { rows } = await sql<Position>`select ${timelineAt('pg_current_wal_lsn()')} as timeline,
    (case current_setting('synchronous_commit') when 'off' then pg_current_wal_insert_lsn()
      else pg_current_wal_flush_lsn() end)::text as lsn`.execute(primary)
  const [position] = rows
  if (!position) throw new Error('the store returned no row')
  return position
}

/** False if the replica has not replayed the position in time. A server that was promoted compares its own position. */
async function waitForReplay(trx: Transaction<Tables>, { lsn, timeline }: Position, ms: number): Promise<boolean> {
  const endsAt = performance.now() + ms
  for (let pauseMs = firstPauseMs; ; pauseMs *= 1.5) {
    const { rows } = await sql<{ isReplayed: boolean }>`select case when pg_is_in_recovery()
        then pg_last_wal_replay_lsn() >= ${lsn}::pg_lsn
          and (select timeline_id from pg_control_checkpoint()) = ${timeline}::integer
        else pg_current_wal_flush_lsn() >= ${lsn}::pg_lsn
          and ${timelineAt('pg_current_wal_lsn()')} = ${timeline}::integer end as "isReplayed"`.execute(trx)
    if (rows[0]?.isReplayed) return true
    if (performance.now() + pauseMs > endsAt) return false
    await pause(pauseMs)
  }
}
