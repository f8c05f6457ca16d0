import { type Selectable, sql } from 'kysely'
import { type Base, json } from '../core/base.ts'
import type { FollowerState, FollowersTable } from '../core/tables.ts'

/** How far a source was followed, and by whom. */
export type FollowerRow = {
  source: string
  epoch: string
  /** The revision of the source that was last verified. */
  revision: number
  /** The last block that was applied; the hash is unknown where a person moved the checkpoint. */
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
export type Held = { source: string; epoch: string }

/** Whoever lives renews about every second; whoever does not loses the lease after this. */
export const leaseSeconds = 3
/** A holder that freezes inside a commit must not keep the row from the next one. */
const frozenAfter = '2s'

export function followersTable({ db }: Base) {
  return {
    /** Undefined while somebody else holds it. Each taking has an epoch of its own, which all commits are checked by. */
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
    /** Of the leases those that are still held; the others were lost. */
    async renew(owner: string, held: readonly Held[]): Promise<Set<string>> {
      if (held.length === 0) return new Set()
      const { rows } = await sql<{ source: string }>`
        update followers set lease_until = ${leaseEnd}
        where owner = ${owner} and (source, epoch) in (select source, epoch::bigint from
          json_to_recordset(${json(held)}::json) as h (source text, epoch text))
        returning source`.execute(db)
      return new Set(rows.map(({ source }) => source))
    },
    /** Another may take it at once. */
    async release({ source, epoch }: Held): Promise<void> {
      await sql`update followers set lease_until = clock_timestamp(), owner = null
        where source = ${source} and epoch = ${epoch}`.execute(db)
    },
    /**
     * First in every commit of a follower: false when the lease was lost, and then nothing may be kept. The row is held
     * until the end of the transaction, which ends by itself if its process freezes.
     */
    async fence({ source, epoch }: Held): Promise<boolean> {
      await sql.raw(`set local idle_in_transaction_session_timeout = '${frozenAfter}'`).execute(db)
      const { rows } = await sql`select from followers where source = ${source} and epoch = ${epoch}
        for no key update`.execute(db)
      return rows.length === 1
    },
    async move({ source, epoch }: Held, to: Checkpoint, at: Date): Promise<void> {
      await db
        .updateTable('followers')
        .set({
          number: String(to.number),
          hash: to.hash,
          head: String(to.head),
          head_at: to.headAt,
          finalized: to.finalized === null ? null : String(to.finalized),
          lease_until: leaseEnd,
          updated_at: at,
        })
        .where('source', '=', source)
        .where('epoch', '=', epoch)
        .execute()
    },
    /** What is known of the head between two commits. */
    async seeHead({ source, epoch }: Held, head: number, headAt: Date | null, at: Date): Promise<void> {
      await db
        .updateTable('followers')
        .set({ head: String(head), head_at: headAt, updated_at: at })
        .where('source', '=', source)
        .where('epoch', '=', epoch)
        .execute()
    },
    /** Fields that are left out stay as they are. */
    async setState({ source, epoch }: Held, state: FollowerState, revision?: number): Promise<void> {
      const merged = sql<string>`(coalesce(state::jsonb, '{}') || ${json(state)}::jsonb)::json`
      await db
        .updateTable('followers')
        .set({ state: merged, ...(revision !== undefined && { revision }) })
        .where('source', '=', source)
        .where('epoch', '=', epoch)
        .execute()
    },
    /** Forgets how far it was followed: another network stands behind the name. */
    async forgetCheckpoint({ source, epoch }: Held): Promise<void> {
      await db
        .updateTable('followers')
        .set({
          ...{ number: null, hash: null, head: null, head_at: null, finalized: null },
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
    /** Those whose lease somebody holds now. */
    async listHeld(): Promise<{ source: string }[]> {
      const { rows } = await sql<{ source: string }>`
        select source from followers where lease_until > clock_timestamp()`.execute(db)
      return rows
    },
    async list(): Promise<FollowerRow[]> {
      return (await db.selectFrom('followers').selectAll().execute()).map(readFollower)
    },
    /** Holds the row until the transaction ends: no commit of its follower comes in between. */
    async lock(source: string): Promise<FollowerRow | undefined> {
      const row = await db
        .selectFrom('followers')
        .selectAll()
        .where('source', '=', source)
        .forUpdate()
        .executeTakeFirst()
      return row && readFollower(row)
    },
    /** Whoever follows now loses the lease by it, and the next one begins after this block. */
    async moveBy(source: string, number: number, at: Date): Promise<void> {
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
    /** False while somebody holds it. */
    async removeFree(source: string): Promise<boolean> {
      const { numAffectedRows } = await sql`delete from followers where source = ${source}
        and (lease_until is null or lease_until <= clock_timestamp())`.execute(db)
      return numAffectedRows === 1n
    },
    async remove(source: string): Promise<void> {
      await db.deleteFrom('followers').where('source', '=', source).execute()
    },
  }
}

/** The moment of the statement, not of its transaction, which may have waited. */
const leaseEnd = sql<Date>`clock_timestamp() + interval '${sql.raw(String(leaseSeconds))} seconds'`

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
