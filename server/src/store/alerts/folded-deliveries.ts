import { type RawBuilder, sql } from 'kysely'
import type { Base } from '../core/base.ts'

/** A delivery whose message tells of others too, and the others. */
export type Fold = {
  carrierId: string
  members: { id: string; alertId: string }[]
  /** The times of the first and of the last item, in milliseconds. */
  firstMs: number
  lastMs: number
  /** The titles of the newest alerts, newest first. */
  titles: string[]
}
type FoldQuery = { resourceId: string; owner: string; open: readonly string[]; folds?: boolean }

/** If more than this many alerts of a subscription wait for one chat or mailbox, one message tells of them. */
export const waitingMax = 20
/** One message tells of at most this many alerts. */
export const foldedMax = 1_000
const titlesMax = 5

/**
 * A long queue of one subscription to a chat or mailbox is folded: one delivery, the carrier, tells of the others in its
 * message, and `folded_into` of the others names it. All of them stay pending until the result of the carrier is recorded, which
 * is the result of each. The fold is committed before the message is sent, so after a crash the next process sends the same
 * message again. If the carrier is dropped, because its alert was taken back or deleted, the others wait as before.
 */
export function foldedDeliveriesTable({ db }: Base) {
  return {
    /**
     * Folds what waits in the lanes that these turns hold, where `folds` says so, and undoes folds without a carrier. It locks alerts before deliveries,
     * as an undo does, and leaves out the alerts that others lock.
     */
    async fold(queries: readonly FoldQuery[], at: Date): Promise<void> {
      if (queries.length === 0) return
      await sql`
        with held as materialized (select q.* from json_to_recordset(${JSON.stringify(queries)}) as q ("resourceId" text,
            owner text, open json, folds boolean)
          join lanes l on l.resource_id = q."resourceId" and l.owner = q.owner),
        waiting as materialized (select d.id, d.alert_id, d.resource_id, d.seq, d.folded_into, a.subscription_id, a.trigger_id,
            coalesce(h.folds, false) and ${isFoldable} as foldable
          from held h join deliveries d on d.resource_id = h."resourceId" and d.status = 'pending'
            join alerts a on a.id = d.alert_id
          where d.id not in (select json_array_elements_text(open) from held)
            and (d.folded_into is null or not exists (select from deliveries c
              where c.id = d.folded_into and c.status = 'pending'))),
        counted as (select id, alert_id, row_number() over same as place, count(*) over (partition by resource_id,
            subscription_id, trigger_id) as count
          from waiting where foldable window same as (partition by resource_id, subscription_id, trigger_id order by seq)),
        chosen as materialized (select w.*, c.id is not null as folds from waiting w
          left join counted c on c.id = w.id and c.count > ${waitingMax} and c.place <= ${foldedMax}
          where c.id is not null or w.folded_into is not null),
        locked as materialized (select a.id from alerts a where a.id = any(array(select alert_id from chosen))
          order by a.id for update skip locked),
        changed as (select c.id, case when c.folds then first_value(c.id) over (partition by c.resource_id, c.subscription_id,
            c.trigger_id, c.folds order by c.seq) end as carrier
          from chosen c join locked l on l.id = c.alert_id)
        update deliveries d set folded_into = nullif(n.carrier, d.id), updated_at = ${at} from changed n
        where d.id = n.id and d.status = 'pending' and d.folded_into is distinct from nullif(n.carrier, d.id)`.execute(
        db,
      )
    },
    /** What the messages of these deliveries tell of, by the delivery. */
    async list(carrierIds: readonly string[]): Promise<Map<string, Fold>> {
      if (carrierIds.length === 0) return new Map()
      const { rows } = await sql<Fold>`
        with told as materialized (select coalesce(d.folded_into, d.id) as carrier, d.id, d.alert_id, d.seq
          from deliveries d where d.folded_into = any(${carrierIds}) and d.status = 'pending'
          union all select d.id, d.id, d.alert_id, d.seq from deliveries d
          where d.id = any(${carrierIds}) and exists (select from deliveries m where m.folded_into = d.id and m.status = 'pending'))
        select t.carrier as "carrierId",
          json_agg(json_build_object('id', t.id, 'alertId', t.alert_id)) filter (where t.id <> t.carrier) as members,
          date_part('epoch', min(a.item_at)) * 1000 as "firstMs", date_part('epoch', max(a.item_at)) * 1000 as "lastMs",
          to_json((array_agg(a.message ->> 'title' order by t.seq desc))[1:${sql.lit(titlesMax)}]) as titles
        from told t join alerts a on a.id = t.alert_id group by t.carrier`.execute(db)
      return new Map(rows.map((row) => [row.carrierId, row]))
    },
    /** These deliveries, and those that their messages tell of. */
    async withMembers(deliveryIds: readonly string[]): Promise<string[]> {
      const { rows } = await sql<{
        id: string
      }>`select id from deliveries where folded_into = any(${deliveryIds})`.execute(db)
      return [...deliveryIds, ...rows.map(({ id }) => id)]
    },
  }
}

/**
 * On rows `d` and `a`: an informational alert that was not tried yet and waits with others. What is critical, a warning, the end
 * of an alert, a repeat and a retraction always have messages of their own.
 */
const isFoldable: RawBuilder<boolean> = sql`a.severity = 'info' and a.subscription_id is not null
  and a.state is distinct from 'resolved' and d.kind = 'alert' and d.repeat = 0 and d.attempts_count = 0
  and not exists (select from deliveries m where m.folded_into = d.id and m.status = 'pending')`
