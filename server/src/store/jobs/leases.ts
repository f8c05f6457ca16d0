import { sql } from 'kysely'
import type { Base } from '../core/base.ts'

/** The leases of running processes: on followers, on lanes and on jobs. */
export function leasesTable({ db }: Base) {
  return {
    /**
     * Ends every lease at once. Only a process that knows that it is alone on this store may call this. The next owner
     * recovers the work of the dead process in the usual way, without waiting for the leases to expire.
     */
    async expireAll(): Promise<void> {
      await sql`update followers set lease_until = clock_timestamp() where lease_until > clock_timestamp()`.execute(db)
      await sql`delete from engine_processes`.execute(db)
      await sql`update lanes set lease_until = now() - interval '1 second' where owner is not null`.execute(db)
      await sql`update pgboss.job set state = 'retry', start_after = now() where state = 'active'`.execute(db)
    },
  }
}
