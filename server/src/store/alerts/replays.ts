import { type Kysely, sql } from 'kysely'
import type { Base } from '../core/base.ts'
import type { Tables } from '../core/tables.ts'
import { deliveryId } from './delivery-id.ts'

/** `resource` is the name that a resource had when the delivery was added, `resourceId` the one that it is now. */
export type ReplayChoice = { all: boolean; resource?: string | undefined; resourceId?: string | undefined }
/**
 * What failed in a workspace since a time, and of one resource if it is given. The time is that of the failure: an alert is
 * recorded before its first attempt fails.
 */
export type FailedFilter = { workspaceId: string; since: Date; resourceId?: string | undefined }
/** A delivery that is sent again. */
export type Resent = { alert_id: string; resource_id: string }
export type LastDelivery = {
  id: string
  alert_id: string
  resource_id: string
  resource: string
  blueprint: string
  status: string
  count: number
}

/** Sends alerts again. */
export function replaysTable({ db }: Base) {
  return {
    /**
     * Sends alerts again to each resource whose last delivery failed for good, or to all. Deliveries that wait for a retry
     * become due now. The caller has locked the alerts. Returns the alert and the resource of each delivery.
     */
    async replay(
      alertIds: readonly string[],
      { all, resource, resourceId }: ReplayChoice,
      at: Date,
    ): Promise<Resent[]> {
      const last = (await lastDeliveries(db, alertIds)).filter(
        (last) =>
          (resource === undefined || last.resource === resource) &&
          (resourceId === undefined || last.resource_id === resourceId),
      )
      const dueNow = await makeDueNow(
        db,
        last.map(({ id }) => id),
        at,
      )
      const chosen = last.filter(({ status }) => isReplayable(status, all))
      if (chosen.length > 0)
        await db
          .insertInto('deliveries')
          .values(chosen.map((last) => newDelivery(last.resource_id, last, at, last.count)))
          .onConflict((on) => on.column('id').doNothing())
          .execute()
      return [...dueNow, ...chosen]
    },
    /**
     * Locks failed alerts whose last delivery to a resource failed for good, oldest first, and returns their ids. It leaves out
     * alerts that others lock, and those that have nothing to send again: they would fill the limit at each call.
     */
    async lockFailed({ workspaceId, since, resourceId }: FailedFilter, limit: number): Promise<string[]> {
      const ofResource = resourceId === undefined ? sql`d.resource_id is not null` : sql`d.resource_id = ${resourceId}`
      const { rows } = await sql<{ id: string }>`
        select a.id from alerts a where a.workspace_id = ${workspaceId} and a.status = 'failed'
          and a.updated_at >= ${since} and exists (select from deliveries d
            where d.alert_id = a.id and ${ofResource} and d.kind = 'alert' and d.status = 'dead'
              and not exists (select from deliveries later where later.alert_id = a.id and later.kind = 'alert'
                and later.resource_id = d.resource_id and later.seq > d.seq))
        order by a.seq limit ${limit} for update skip locked`.execute(db)
      return rows.map(({ id }) => id)
    },
    /**
     * Makes failed deliveries that wait for their next attempt due now, and ends the pauses of their lanes. Returns the resource
     * of each. It locks the lanes first, as the delivery loop does.
     */
    async hurry({ workspaceId, since, resourceId }: FailedFilter, limit: number, at: Date): Promise<string[]> {
      const ofResource = resourceId === undefined ? sql`` : sql`and r.id = ${resourceId}`
      const { rows } = await sql<{ id: string; resourceId: string }>`
        select w.id, r.id as "resourceId" from resources r cross join lateral (select d.id, d.alert_id from deliveries d
          where d.resource_id = r.id and d.status = 'pending' and d.due_at > ${at} and d.attempts_count > 0
            and d.updated_at >= ${since} order by d.due_at limit ${limit}) w
        join alerts a on a.id = w.alert_id and a.workspace_id = ${workspaceId}
        where r.workspace_id = ${workspaceId} ${ofResource} limit ${limit}`.execute(db)
      const resourceIds = [...new Set(rows.map((row) => row.resourceId))]
      await sql`update lanes set not_before = null where resource_id in (select resource_id from lanes
        where resource_id = any(${resourceIds}) order by resource_id for update)`.execute(db)
      const due = await makeDueNow(
        db,
        rows.map(({ id }) => id),
        at,
      )
      return due.map((one) => one.resource_id)
    },
  }
}

async function makeDueNow(db: Kysely<Tables>, ids: readonly string[], at: Date): Promise<Resent[]> {
  const { rows } = await sql<Resent>`
    update deliveries set due_at = ${at}, updated_at = ${at}
    where id = any(${ids}) and status = 'pending' and due_at > ${at} and resource_id is not null
    returning alert_id, resource_id`.execute(db)
  return rows
}

/** The last delivery of each alert to each resource that still exists, with the number of its deliveries there. */
async function lastDeliveries(db: Kysely<Tables>, alertIds: readonly string[]): Promise<LastDelivery[]> {
  const { rows } = await sql<LastDelivery>`
    select distinct on (alert_id, resource_id) id, alert_id, resource_id, resource, blueprint, status,
      count(*) over (partition by alert_id, resource_id)::integer as count
    from deliveries where alert_id = any(${alertIds}) and kind = 'alert' and resource_id is not null
    order by alert_id, resource_id, seq desc`.execute(db)
  return rows
}

/** A pending delivery is not sent twice at the same time. */
function isReplayable(status: string, all: boolean): boolean {
  return status === 'dead' || (all && status === 'delivered')
}

export function newDelivery(
  resourceId: string,
  row: { alert_id: string; resource: string; blueprint: string },
  at: Date,
  replay?: number,
) {
  const kind = replay === undefined ? 'retraction' : 'alert'
  return {
    id: deliveryId(row.alert_id, resourceId, kind, replay),
    alert_id: row.alert_id,
    resource_id: resourceId,
    resource: row.resource,
    blueprint: row.blueprint,
    status: 'pending' as const,
    due_at: at,
    created_at: at,
    updated_at: at,
  }
}
