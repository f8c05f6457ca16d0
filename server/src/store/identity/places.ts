import { sql } from 'kysely'
import type { Base } from '../core/base.ts'

/** `subject` is the id of a token, or `sign-in`. `place` says in plain text where: only its keyed hash is stored. */
export type PlaceUse = { accountId: string; subject: string; place: string }

/** How many places of one subject are kept. The one that was not used for the longest time goes first. */
const placesMax = 50

export function placesTable({ db, box }: Base) {
  return {
    /**
     * Records the use of a place. True if the owner should be told: the place is new, it is not the first of its subject, and
     * the owner was told of no other place of this subject since `toldSince`.
     */
    async record({ accountId, subject, place }: PlaceUse, at: Date, toldSince: Date): Promise<boolean> {
      const hash = box.sign('account place', JSON.stringify([accountId, subject, place]))
      const { rows } = await sql<{ isNew: boolean; isTold: boolean }>`
        with others as (select count(*) as known, max(told_at) as told_at from account_places
          where account_id = ${accountId} and subject = ${subject}),
        news as (select known > 0 and coalesce(told_at < ${toldSince}, true) as is_new from others)
        insert into account_places (account_id, subject, hash, last_seen_at, told_at)
        select ${accountId}, ${subject}, ${hash}, ${at}, case when is_new then ${at}::timestamptz end from news
        on conflict (account_id, subject, hash) do update set last_seen_at = excluded.last_seen_at
        returning xmax = 0 as "isNew", told_at is not null as "isTold"`.execute(db)
      if (!rows[0]?.isNew) return false
      await forgetOldest(accountId, subject)
      return rows[0].isTold
    },
    async sweep(before: Date): Promise<void> {
      await db.deleteFrom('account_places').where('last_seen_at', '<', before).execute()
    },
  }

  async function forgetOldest(accountId: string, subject: string): Promise<void> {
    await sql`delete from account_places where account_id = ${accountId} and subject = ${subject} and hash in (
      select hash from account_places where account_id = ${accountId} and subject = ${subject}
      order by last_seen_at desc, hash offset ${placesMax})`.execute(db)
  }
}
