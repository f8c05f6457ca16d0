import { sql } from 'kysely'
import type { Base } from '../core/base.ts'

/** What running processes hold: followers, lanes and jobs, each until its holder gives no more signs. */
export function claimsTable({ db }: Base) {
  return {
    /**
     * For a process that knows that it is alone on this store: whoever held something is gone, so nobody waits for his
     * signs. What he left is found as after any death, by those who look for it.
     */
    async lapse(): Promise<void> {
      await sql`update followers set lease_until = clock_timestamp() where lease_until > clock_timestamp()`.execute(db)
      await sql`update lanes set lease_until = now() - interval '1 second' where owner is not null`.execute(db)
      await sql`update pgboss.job set heartbeat_on = now() - interval '1 day' where state = 'active'`.execute(db)
    },
  }
}
