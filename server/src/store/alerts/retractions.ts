import { sql } from 'kysely'
import type { Base } from '../core/base.ts'
import { literals } from '../core/sql-lists.ts'
import { movesFrom } from './alert-status.ts'

/** A block that a reorg removed from the chain, in the incarnation that was applied. */
export type UndoneBlock = { hash: string; incarnation: number }
export type Retracted = {
  alerts: string[]
  /** The subscriptions of those alerts that fire or resolve. */
  subscriptions: string[]
  /** Deliveries that arrived or may have arrived, one per alert and resource: each needs a retraction. */
  delivered: { id: string; resourceId: string }[]
}

/** Applies a reorg to alerts: unsent deliveries are dropped, sent ones have to be corrected. */
export function retractionsTable({ db }: Base) {
  return {
    /**
     * Also retracts the alerts that time alone resolved, because what they resolve never happened. Locks the alerts by id, the
     * same order as other code, so that no deadlock can occur.
     */
    async retract(source: string, block: UndoneBlock, reason: string, at: Date): Promise<Retracted> {
      const { rows: alerts } = await sql<{ id: string; subscriptionId: string | null }>`
        update alerts set status = 'retracted', reason = ${reason}, updated_at = ${at} where id in (
          select id from alerts where status in (${literals(movesFrom.block_undone)}) and id = any(array(
            select id from alerts where source = ${source} and block_hash = ${block.hash}
              and incarnation = ${block.incarnation}
            union select r.id from alerts a join alerts r on r.resolves = a.id
              where a.source = ${source} and a.block_hash = ${block.hash} and a.incarnation = ${block.incarnation}))
            order by id for update)
        returning id, case when state is not null then subscription_id end as "subscriptionId"`.execute(db)
      const ids = alerts.map(({ id }) => id)
      if (ids.length === 0) return { alerts: [], subscriptions: [], delivered: [] }
      await sql`update deliveries set status = 'dropped', updated_at = ${at}
        where alert_id = any(${ids}) and kind = 'alert' and status in ('pending', 'waiting')`.execute(db)
      const { rows: delivered } = await sql<{ id: string; resourceId: string }>`
        select distinct on (alert_id, resource_id) id, resource_id as "resourceId" from deliveries
        where alert_id = any(${ids}) and kind = 'alert' and (status = 'delivered' or may_have_arrived)
          and resource_id is not null
        order by alert_id, resource_id, seq desc`.execute(db)
      const subscriptions = [...new Set(alerts.flatMap(({ subscriptionId }) => subscriptionId ?? []))]
      return { alerts: ids, subscriptions, delivered }
    },
  }
}
