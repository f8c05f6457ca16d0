import { type RawBuilder, type Selectable, sql } from 'kysely'
import { type Base, json } from '../core/base.ts'
import { storableJson } from '../core/storable.ts'
import type { FollowerState, FollowersTable } from '../core/tables.ts'

/** How far a source was followed. */
export type FollowerRow = {
  source: string
  epoch: string
  /** The revision of the source that was last verified. */
  revision: number
  /** The last applied block. The hash is null after a person moved the checkpoint. */
  number: number | null
  hash: string | null
  head: number | null
  headAt: Date | null
  finalized: number | null
  state: FollowerState
  updatedAt: Date
}
export type Checkpoint = {
  number: number
  hash: string
  head: number
  headAt: Date | null
  finalized: number | null
}
/** `numberAt` is the block's own time; `readAt`: every block that the node had at this time was applied. */
export type AppliedCheckpoint = Checkpoint & { numberAt?: Date | null; readAt?: Date | null }
/** Up to which time a source was read, in milliseconds: by the times of its blocks, and by the clock. */
export type SourceReadTo = { source: string; chainMs: number | null; clockMs: number | null }
export type SourceProgress = { source: string; status: string; head: number | null; processed: number | null }
/** A lease on a source. The epoch identifies this holder. */
export type FollowerLease = { source: string; epoch: string }

/** A follower renews its lease about every second and loses it after this time. */
export const leaseSeconds = 3
/**
 * A column that makes PostgreSQL end the transaction of a process that freezes inside a commit, so that the next holder can
 * lock the row.
 */
export const endIfFrozen = sql`set_config('idle_in_transaction_session_timeout', '2s', true)`

export function followersTable({ db }: Base) {
  return {
    /** Undefined while another process holds the lease. Each new lease has a new epoch, which every commit checks. */
    async take(source: string, owner: string, at: Date): Promise<FollowerRow | undefined> {
      const { rows } = await sql<Selectable<FollowersTable>>`
        insert into followers as f (source, owner, lease_until, epoch, updated_at)
        values (${source}, ${owner}, ${leaseEnd}, 1, ${at})
        on conflict (source) do update set owner = excluded.owner, lease_until = excluded.lease_until,
          epoch = f.epoch + 1, updated_at = excluded.updated_at
        where f.lease_until is null or f.lease_until <= clock_timestamp()
        returning *`.execute(db)
      return rows[0] && readFollower(rows[0])
    },
    /** Returns the sources whose leases are still held. The others were lost. */
    async renew(owner: string, leases: readonly FollowerLease[]): Promise<Set<string>> {
      if (leases.length === 0) return new Set()
      const { rows } = await sql<{ source: string }>`
        with renewed as (${renewal(owner, leases)}) select source from followers where ${isHeldBy(owner, leases)}`.execute(
        db,
      )
      return new Set(rows.map(({ source }) => source))
    },
    /** Lets another process take the lease at once. */
    async release({ source, epoch }: FollowerLease): Promise<void> {
      await sql`update followers set lease_until = clock_timestamp(), owner = null
        where source = ${source} and epoch = ${epoch}`.execute(db)
    },
    /**
     * The first statement of every commit of a follower. False means that the lease was lost and the commit must be rolled
     * back. It locks the row until the transaction ends; a timeout ends the transaction if its process freezes.
     */
    async fence({ source, epoch }: FollowerLease): Promise<boolean> {
      const { rows } = await sql`select ${endIfFrozen} from followers where source = ${source} and epoch = ${epoch}
        for no key update`.execute(db)
      return rows.length === 1
    },
    /** For a block that was not applied just now: nothing is known of the times up to which the source was read. */
    async saveCheckpoint({ source, epoch }: FollowerLease, to: Checkpoint, at: Date): Promise<void> {
      await db
        .updateTable('followers')
        .set({
          number: String(to.number),
          hash: to.hash,
          head: String(to.head),
          head_at: to.headAt,
          finalized: to.finalized === null ? null : String(to.finalized),
          number_at: null,
          read_at: null,
          lease_until: leaseEnd,
          updated_at: at,
        })
        .where('source', '=', source)
        .where('epoch', '=', epoch)
        .execute()
    },
    /** Merges the given fields into the state. */
    async setState({ source, epoch }: FollowerLease, state: FollowerState, revision?: number): Promise<void> {
      const merged = sql<string>`(coalesce(state::jsonb, '{}') || ${storableJson(state)}::jsonb)::json`
      await db
        .updateTable('followers')
        .set({ state: merged, ...(revision !== undefined && { revision }) })
        .where('source', '=', source)
        .where('epoch', '=', epoch)
        .execute()
    },
    /** Clears the checkpoint, because the source now points to another network. */
    async forgetCheckpoint({ source, epoch }: FollowerLease): Promise<void> {
      await db
        .updateTable('followers')
        .set({
          ...{ number: null, hash: null, head: null, head_at: null, finalized: null, number_at: null, read_at: null },
          state: sql<string>`(state::jsonb - 'firstHead')::json`,
        })
        .where('source', '=', source)
        .where('epoch', '=', epoch)
        .execute()
    },
    async find(source: string): Promise<FollowerRow | undefined> {
      const row = await db.selectFrom('followers').selectAll().where('source', '=', source).executeTakeFirst()
      return row && readFollower(row)
    },
    /** The sources whose leases are held now. */
    async listHeld(): Promise<{ source: string }[]> {
      const { rows } = await sql<{ source: string }>`
        select source from followers where lease_until > clock_timestamp()`.execute(db)
      return rows
    },
    async findAll(sources: readonly string[]): Promise<FollowerRow[]> {
      const rows = await db
        .selectFrom('followers')
        .selectAll()
        .where('source', '=', sql<string>`any(${sources})`)
        .execute()
      return rows.map(readFollower)
    },
    /** A source that was never followed is left out. */
    async listReadTo(sources: readonly string[]): Promise<SourceReadTo[]> {
      if (sources.length === 0) return []
      const rows = await db
        .selectFrom('followers')
        .select(['source', 'number_at', 'read_at'])
        .where('source', '=', sql<string>`any(${sources})`)
        .execute()
      return rows.map(({ source, number_at: numberAt, read_at: readAt }) => ({
        source,
        chainMs: numberAt?.getTime() ?? null,
        clockMs: readAt?.getTime() ?? null,
      }))
    },
    async list(): Promise<FollowerRow[]> {
      return (await db.selectFrom('followers').selectAll().execute()).map(readFollower)
    },
    /** How far each source was followed, and its status. A source that was not reached yet is left out. */
    async listProgress(limit: number): Promise<SourceProgress[]> {
      const { rows } = await sql<SourceProgress>`
        select f.source, coalesce(c.status ->> 'status', f.state -> 'status' ->> 'status', 'pending') as status,
          f.head::float8 as head, f.number::float8 as processed
        from followers f left join custom_sources c on c.fullname = f.source
        where f.head is not null or f.state is not null order by f.source limit ${limit}`.execute(db)
      return rows
    },
    /** Locks the row until the transaction ends, so that its follower cannot commit meanwhile. */
    async lock(source: string): Promise<FollowerRow | undefined> {
      const row = await db
        .selectFrom('followers')
        .selectAll()
        .where('source', '=', source)
        .forUpdate()
        .executeTakeFirst()
      return row && readFollower(row)
    },
    /** Moves the checkpoint for a person. The current follower loses its lease; the next one starts after this block. */
    async moveCheckpoint(source: string, number: number, at: Date): Promise<void> {
      await db
        .updateTable('followers')
        .set({
          number: String(number),
          hash: null,
          epoch: sql`epoch + 1`,
          lease_until: null,
          owner: null,
          updated_at: at,
        })
        .where('source', '=', source)
        .execute()
    },
    /** Returns false while another process holds the lease. */
    async removeIfFree(source: string): Promise<boolean> {
      const { numAffectedRows } = await sql`delete from followers where source = ${source}
        and (lease_until is null or lease_until <= clock_timestamp())`.execute(db)
      return numAffectedRows === 1n
    },
    async remove(source: string): Promise<void> {
      await db.deleteFrom('followers').where('source', '=', source).execute()
    },
  }
}

/** `clock_timestamp`, because the transaction may have waited since `now()`. */
export const leaseEnd = sql<Date>`clock_timestamp() + interval '${sql.raw(String(leaseSeconds))} seconds'`

/**
 * Renews the leases that the owner still holds. A row that is locked is left out, so that one slow commit does not end the
 * other leases: a commit of its follower renews it, and anything else takes the lease away.
 */
export function renewal(owner: string, leases: readonly FollowerLease[]): RawBuilder<unknown> {
  return sql`update followers set lease_until = ${leaseEnd} where source in (
    select source from followers where ${isHeldBy(owner, leases)} for no key update skip locked)`
}

export function isHeldBy(owner: string, leases: readonly FollowerLease[]): RawBuilder<boolean> {
  return sql`owner = ${owner} and ${among(leases)}`
}

function among(leases: readonly FollowerLease[]) {
  return sql<boolean>`(source, epoch) in (select source, epoch from
    json_to_recordset(${json(leases)}::json) as l (source text, epoch bigint))`
}

function readFollower(row: Selectable<FollowersTable>): FollowerRow {
  return {
    source: row.source,
    epoch: row.epoch,
    revision: row.revision,
    number: numberOf(row.number),
    hash: row.hash,
    head: numberOf(row.head),
    headAt: row.head_at,
    finalized: numberOf(row.finalized),
    state: row.state ?? {},
    updatedAt: row.updated_at,
  }
}

function numberOf(text: string | null): number | null {
  return text === null ? null : Number(text)
}

/** The lease was lost because another process follows the source or the source was deleted. The caller must stop. */
export class LeaseLost extends Error {
  constructor(source: string) {
    super(`the lease of ${source} was lost`)
  }
}

type Followers = { followers: Pick<ReturnType<typeof followersTable>, 'fence'> }

/** The first statement of every commit of a follower. Without the lease the commit is rolled back. */
export async function requireLease(store: Followers, lease: FollowerLease): Promise<void> {
  if (!(await store.followers.fence(lease))) throw new LeaseLost(lease.source)
}
