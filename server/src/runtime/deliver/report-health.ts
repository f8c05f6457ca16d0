import type { HealthItem } from '@tocsin/contract'
import type { NewDelivery, NewHealthAlert } from '../../store/alerts/alert-writes.ts'
import { CountChanges } from '../../store/alerts/count-changes.ts'
import { deliveryId } from '../../store/alerts/delivery-id.ts'
import type { LockedLane } from '../../store/alerts/lanes.ts'
import type { NotifiedResource } from '../../store/alerts/resource-health.ts'
import { storableJson } from '../../store/core/storable.ts'
import type { Store } from '../../store/index.ts'
import { healthAlertId } from '../jobs/ids.ts'
import type { TurnRecord } from './lane-deps.ts'
import type { Attempted } from './schedule.ts'

/** A resource that began to fail, with the error, or that works again. */
type HealthChange = { resourceId: string; error: string | undefined }
type Lanes = ReadonlyMap<string, LockedLane>
type Report = { alert: NewHealthAlert; resource: NotifiedResource; notifierId: string }

/**
 * Tells the resource named in `notifyOnFailure` once when a resource begins to fail, and once when it works again. The message
 * is an alert with one delivery, written in the commit that records the attempts. The caller has locked the lanes, and the
 * lane remembers the alert of its failure, so a crash or another process causes no second message.
 */
export async function reportHealth(
  store: Store,
  records: readonly TurnRecord[],
  lanes: Lanes,
  now: Date,
): Promise<void> {
  await tellWorkspaces(store, records, lanes, now)
  // A resource that nobody is told of is looked up at each failure, so that it is reported once somebody is.
  const changes = records.flatMap((record) => {
    const isReported = typeof lanes.get(record.turn.resourceId)?.failureAlertId === 'string'
    return changeOf(record, isReported)
  })
  if (changes.length === 0) return
  const resources = await store.resourceHealth.listNotified(changes.map(({ resourceId }) => resourceId))
  const byId = new Map(resources.map((resource) => [resource.id, resource]))
  const wanted = changes.flatMap((change) => reportOf(change, byId.get(change.resourceId), now))
  const reports = await addReports(store, wanted, now)
  const failureAlerts = failureAlertsAfter(changes, reports)
  if (failureAlerts.size > 0) await store.lanes.setFailureAlerts(failureAlerts)
}

/** Tells the health of each workspace once that deliveries to a resource fail, and once that they work again. */
async function tellWorkspaces(store: Store, records: readonly TurnRecord[], lanes: Lanes, now: Date): Promise<void> {
  const changes = records.flatMap((record) => {
    const isTold = lanes.get(record.turn.resourceId)?.isToldFailing === true
    return changeOf(record, isTold)
  })
  if (changes.length === 0) return
  const resources = await store.resourceHealth.listNotified(changes.map(({ resourceId }) => resourceId))
  const byId = new Map(resources.map((resource) => [resource.id, resource]))
  const items = changes.flatMap(({ resourceId, error }) => {
    const resource = byId.get(resourceId)
    return resource ? [healthItemOf(resource, error, now)] : []
  })
  await store.healthEvents.add(items)
  await store.lanes.setToldFailing(new Map(changes.map(({ resourceId, error }) => [resourceId, error !== undefined])))
}

function healthItemOf(resource: NotifiedResource, error: string | undefined, now: Date): HealthItem {
  const [status, previousStatus] =
    error === undefined ? (['working', 'failing'] as const) : (['failing', 'working'] as const)
  const severity = error === undefined ? 'info' : 'warning'
  const message = messageOf({ ...resource, toldAt: null }, error, now).short
  return {
    ...{ type: 'destination', name: resource.fullname, status, previousStatus, severity, message },
    at: now.toISOString(),
  }
}

/** What changed for a lane since it was reported as failing, or not. */
function changeOf({ turn, attempted, change }: TurnRecord, isReported: boolean): HealthChange[] {
  const { resourceId } = turn
  if (change.works === true) return isReported ? [{ resourceId, error: undefined }] : []
  if (change.error === undefined || isReported || !attempted.some(isFailure)) return []
  return [{ resourceId, error: change.error }]
}

/**
 * True if a retry failed, or a message was refused for good: one attempt that fails is nothing that people need to know.
 * A report that does not arrive starts no other report: two resources that report each other would otherwise report their
 * reports. A rate limit is no failure.
 */
function isFailure({ delivery, outcome }: Attempted): boolean {
  if (outcome.kind === 'sent' || delivery.content.isHealthReport === true) return false
  return outcome.kind !== 'later' || (delivery.attempts_count > 0 && outcome.status !== 429)
}

function reportOf({ error }: HealthChange, resource: NotifiedResource | undefined, now: Date): Report[] {
  if (!resource || resource.notifierId === null) return []
  return [{ alert: alertOf(resource, error, now), resource, notifierId: resource.notifierId }]
}

function alertOf(resource: NotifiedResource, error: string | undefined, now: Date): NewHealthAlert {
  const { id, fullname, workspace_id, project_id, project } = resource
  const at = now.toISOString()
  const status = error === undefined ? 'working' : 'failing'
  const item = { type: 'status', resource: fullname, status, ...(error !== undefined && { error }), at }
  return {
    id: healthAlertId(id, error === undefined, now.getTime()),
    kind: 'health',
    ...{ subscription_id: null, rule_id: null, trigger_id: null, account_id: '', workspace_id, project_id },
    project: project ?? '',
    trigger: `${fullname}.events`,
    status: 'pending',
    severity: error === undefined ? 'info' : 'warning',
    ...{ state: null, resolves: null, duration_ms: null, source: null, block_number: null, block_hash: null },
    ...{ incarnation: null, policy_key: null, delivery_key: null, backfilled: false, finality: null },
    ...{ is_collected: false, reason: null, item_at: at },
    message: storableJson(messageOf(resource, error, now)),
    trace: storableJson({ item, inputs: {}, providers: {}, activated: true }),
  }
}

function messageOf({ title, fullname, toldAt }: NotifiedResource, error: string | undefined, now: Date) {
  const name = title ?? fullname
  if (error !== undefined)
    return { title: `${name} is failing`, short: `Deliveries to ${name} fail. Last error: ${error}` }
  const minutes = toldAt && Math.max(1, Math.round((now.getTime() - toldAt.getTime()) / 60_000))
  const after = minutes === null ? '' : ` after ${minutes === 1 ? '1 minute' : `${minutes} minutes`}`
  return { title: `${name} works again`, short: `Deliveries to ${name} arrive again${after}.` }
}

/** Returns the reports that were added: those whose receiver was not deleted meanwhile. */
async function addReports(store: Store, wanted: readonly Report[], now: Date): Promise<Report[]> {
  if (wanted.length === 0) return []
  const rows = { subscriptions: [], triggers: [], blocks: [], resources: wanted.map(({ notifierId }) => notifierId) }
  const { resources: notifiers } = await store.alertWrites.lockRows(rows)
  const reports = wanted.filter(({ notifierId }) => notifiers.has(notifierId))
  const deliveries = reports.flatMap(({ alert, notifierId }): NewDelivery[] => {
    const notifier = notifiers.get(notifierId)
    if (!notifier) return []
    const { id: resource_id, fullname: resource, blueprint } = notifier
    const id = deliveryId(alert.id, resource_id, 'alert')
    return [{ id, alert_id: alert.id, resource_id, resource, blueprint, status: 'pending', attempts: [] }]
  })
  const counts = new CountChanges()
  for (const { alert } of reports) counts.add(alert, 'recorded')
  await store.alertWrites.add(
    reports.map(({ alert }) => alert),
    deliveries,
    now,
    true,
  )
  await store.hourlyCounts.addChanges(counts, now)
  await store.jobs.wakeLanes(new Set(deliveries.map(({ resource_id }) => resource_id)))
  return reports
}

/** By resource. */
function failureAlertsAfter(
  changes: readonly HealthChange[],
  reports: readonly Report[],
): ReadonlyMap<string, string | null> {
  const repaired = changes.filter(({ error }) => error === undefined)
  return new Map([
    ...reports.map(({ alert, resource }) => [resource.id, alert.id] as const),
    ...repaired.map(({ resourceId }) => [resourceId, null] as const),
  ])
}
