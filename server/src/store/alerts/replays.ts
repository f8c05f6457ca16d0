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
/** A failed delivery that waits for its next attempt. */
type Waiting = Resent & { id: string }
export type LastDelivery = Waiting & {
  resource: string
  blueprint: string
  status: string
  due_at: Date
  count: number
}
/** What is sent: deliveries that wait become due now, and those that failed for good get a new one. */
export type Sending = { waiting: readonly Waiting[]; ended: readonly LastDelivery[] }

/** Sends alerts again. */
export function replaysTable({ db }: Base) {
  return {
    /** Chooses the last delivery of each alert to each resource if it failed for good or waits for a retry, or all of them. */
    async choose(alertIds: readonly string[], { all, resource, resourceId }: ReplayChoice, at: Date): Promise<Sending> {
      const last = (await lastDeliveries(db, alertIds)).filter(
        (last) =>
          (resource === undefined || last.resource === resource) &&
          (resourceId === undefined || last.resource_id === resourceId),
      )
      return {
        waiting: last.filter(({ status, due_at }) => status === 'pending' && due_at > at),
        ended: last.filter(({ status }) => isReplayable(status, all)),
      }
    },
    /** The caller has locked the alerts. Returns the alert and the resource of each delivery. */
    async send({ waiting, ended }: Sending, at: Date): Promise<Resent[]> {
      const ids = waiting.map(({ id }) => id)
      const { rows: dueNow } = await sql<Resent>`
        update deliveries set due_at = ${at}, updated_at = ${at}
        where id = any(${ids}) and status = 'pending' and due_at > ${at} and resource_id is not null
        returning alert_id, resource_id`.execute(db)
      if (ended.length > 0)
        await db
          .insertInto('deliveries')
          .values(ended.map((last) => newDelivery(last.resource_id, last, at, last.count)))
          .onConflict((on) => on.column('id').doNothing())
          .execute()
      return [...dueNow, ...ended]
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
    /** Failed deliveries that wait for their next attempt. */
    async listWaiting({ workspaceId, since, resourceId }: FailedFilter, limit: number, at: Date): Promise<Waiting[]> {
      const ofResource = resourceId === undefined ? sql`` : sql`and r.id = ${resourceId}`
      const { rows } = await sql<Waiting>`
        select w.id, w.alert_id, r.id as resource_id
        from resources r cross join lateral (select d.id, d.alert_id from deliveries d
          where d.resource_id = r.id and d.status = 'pending' and d.due_at > ${at} and d.attempts_count > 0
            and d.updated_at >= ${since} order by d.due_at limit ${limit}) w
        join alerts a on a.id = w.alert_id and a.workspace_id = ${workspaceId}
        where r.workspace_id = ${workspaceId} ${ofResource} limit ${limit}`.execute(db)
      return rows
    },
    /** Ends the pauses that receivers asked for. It locks the lanes in the order in which the delivery loop does. */
    async endPauses(resourceIds: readonly string[]): Promise<void> {
      await sql`update lanes set not_before = null where resource_id in (select resource_id from lanes
        where resource_id = any(${resourceIds}) order by resource_id for update)`.execute(db)
    },
  }
}

/** The last delivery of each alert to each resource that still exists, with the number of its deliveries there. */
async function lastDeliveries(db: Kysely<Tables>, alertIds: readonly string[]): Promise<LastDelivery[]> {
  const { rows } = await sql<LastDelivery>`
    select distinct on (alert_id, resource_id) id, alert_id, resource_id, resource, blueprint, status, due_at,
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
