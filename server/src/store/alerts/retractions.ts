import { sql } from 'kysely'
import type { Base } from '../core/base.ts'
import { literals } from '../core/bulk-rows.ts'
import { movesFrom } from './alert-status.ts'

/** A block that is part of the chain no longer, as it was applied. */
export type TakenBack = { hash: string; incarnation: number }
export type Retracted = {
  alerts: string[]
  /** Deliveries that had arrived, or may have, each once for its resource: there it has to be said. */
  delivered: { id: string; resourceId: string }[]
}

/** What a reorganisation does to alerts: what was not sent is dropped, what was sent has to be corrected. */
export function retractionsTable({ db }: Base) {
  return {
    /** The alerts are locked in the order in which others lock them, too. */
    async retract(source: string, block: TakenBack, reason: string, at: Date): Promise<Retracted> {
      const { rows: alerts } = await sql<{ id: string }>`
        update alerts set status = 'retracted', reason = ${reason}, updated_at = ${at} where id in (
          select id from alerts where source = ${source} and block_hash = ${block.hash}
            and incarnation = ${block.incarnation} and status in (${literals(movesFrom.block_undone)})
            order by id for update)
        returning id`.execute(db)
      const ids = alerts.map(({ id }) => id)
      if (ids.length === 0) return { alerts: [], delivered: [] }
      await sql`update deliveries set status = 'dropped', updated_at = ${at}
        where alert_id = any(${ids}) and kind = 'alert' and status = 'pending'`.execute(db)
      const { rows: delivered } = await sql<{ id: string; resourceId: string }>`
        select distinct on (alert_id, resource_id) id, resource_id as "resourceId" from deliveries
        where alert_id = any(${ids}) and kind = 'alert' and (status = 'delivered' or may_have_arrived)
          and resource_id is not null
        order by alert_id, resource_id, seq desc`.execute(db)
      return { alerts: ids, delivered }
    },
  }
}
