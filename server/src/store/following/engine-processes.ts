import { sql } from 'kysely'
import type { Base } from '../core/base.ts'
import { type FollowerLease, isHeldBy, leaseEnd, renewal } from './followers.ts'

/** `lacks` is the number of sources that the process would take now. */
export type LiveProcess = { id: string; lacks: number }
export type Heartbeat = {
  /** The sources whose leases this process still holds. The others were lost. */
  kept: Set<string>
  /** The live processes, the oldest first. */
  processes: LiveProcess[]
}

export function engineProcessesTable({ db }: Base) {
  return {
    /**
     * Renews the leases of a process and its row, and reads which processes are alive: one statement a second for each
     * process. Without `lacks` the row is not renewed, so that the others do not count on this process.
     */
    async sendHeartbeat(
      { id, lacks }: { id: string; lacks: number | undefined },
      leases: readonly FollowerLease[],
    ): Promise<Heartbeat> {
      const { rows } = await sql<{ kept: string[]; processes: LiveProcess[] }>`
        with own as (
          insert into engine_processes as p (id, joined_at, lease_until, lacks)
          select ${id}::text, clock_timestamp(), ${leaseEnd}, ${lacks ?? 0}::integer where ${lacks !== undefined}::boolean
          on conflict (id) do update set lease_until = excluded.lease_until, lacks = excluded.lacks
          returning p.id, p.joined_at, p.lacks),
        renewed as (${renewal(id, leases)}),
        kept as (select source from followers where ${isHeldBy(id, leases)}),
        live as (
          select id, joined_at, lacks from own
          union all select id, joined_at, lacks from engine_processes
          where id <> ${id} and lease_until > clock_timestamp())
        select array(select source from kept) as kept,
          (select coalesce(json_agg(json_build_object('id', id, 'lacks', lacks) order by joined_at, id), '[]') from live)
            as processes`.execute(db)
      const [row] = rows
      if (!row) throw new Error('the store returned no row')
      return { kept: new Set(row.kept), processes: row.processes }
    },
    /** A process that stops leaves its share to the others at once. */
    async remove(id: string): Promise<void> {
      await db.deleteFrom('engine_processes').where('id', '=', id).execute()
    },
    /** Removes the rows of processes that died. */
    async removeDead(): Promise<void> {
      await sql`delete from engine_processes where lease_until < clock_timestamp() - interval '1 minute'`.execute(db)
    },
  }
}
