import { waitForTurn } from '../../engine/base/event-loop-turns.ts'
import { firstStatus } from '../../store/alerts/alert-status.ts'
import type { LockedRows, NewAlert, NewDelivery, ShownContent } from '../../store/alerts/alert-writes.ts'
import { CountChanges } from '../../store/alerts/count-changes.ts'
import { deliveryId } from '../../store/alerts/delivery-id.ts'
import type { RunChanges } from '../../store/alerts/run-changes.ts'
import { storableJson } from '../../store/core/storable.ts'
import type { Store } from '../../store/index.ts'
import type { RuntimeDeps } from '../deps.ts'
import type { DraftAlert } from './fan-out/index.ts'
import type { AlertToRecord } from './policies/index.ts'
import type { ChunkResult } from './run-chunk.ts'

/** What metrics and traces tell of an alert. */
export type AddedAlert = Pick<NewAlert, 'id' | 'trigger' | 'severity' | 'state' | 'source' | 'block_hash'>

/**
 * One statement writes this many alerts. While PostgreSQL runs it, other work runs in this process.
 */
const writtenMax = 500

/**
 * Writes alerts, a delivery for each of their resources, and a job that wakes the lanes of the resources, unless the caller
 * wakes them. Alerts that wait for finality are announced to the follower of their source instead. `runs` are counted in the
 * same statement as the alerts. Returns the resources and the added alerts, which the caller counts after its commit.
 */
export async function recordAlerts(
  store: Store,
  alerts: readonly AlertToRecord[],
  locked: LockedRows,
  at: Date,
  { mayRepeat = true, addsWakeUp = true, runs }: { mayRepeat?: boolean; addsWakeUp?: boolean; runs?: RunChanges } = {},
): Promise<{ resourceIds: ReadonlySet<string>; added: AddedAlert[] }> {
  const waiting = new Set<string>()
  const unreleased = new Set<string>()
  const counts = new CountChanges()
  const serialize = makeAlertSerializer()
  const ordered = sortByItemTime(alerts)
  const addedAlerts: AddedAlert[] = []
  for (let from = 0; from < ordered.length; from += writtenMax) {
    await waitForTurn()
    const rows = rowsOf(ordered.slice(from, from + writtenMax), locked, at, serialize)
    const added = await store.alertWrites.add(rows.alerts, rows.deliveries, at, mayRepeat)
    countRows(rows, added, counts)
    for (const alert of rows.alerts) if (added.has(alert.id)) addedAlerts.push(alert)
    for (const { status, source } of rows.alerts) if (status === 'waiting' && source !== null) unreleased.add(source)
    for (const { status, resource_id } of rows.deliveries) if (status === 'pending') waiting.add(resource_id)
  }
  await store.alertWrites.showNewest(
    shownContents(ordered.flatMap(({ alert }) => (alert.shown_block ? alert : []))),
    at,
  )
  await store.hourlyCounts.addChanges(counts, at, runs)
  if (addsWakeUp) await store.jobs.wakeLanes(waiting)
  await store.waitingAlerts.announce([...unreleased])
  return { resourceIds: waiting, added: addedAlerts }
}

type Rows = { alerts: NewAlert[]; deliveries: NewDelivery[] }

function rowsOf(
  toRecord: readonly AlertToRecord[],
  locked: LockedRows,
  at: Date,
  serialize: ReturnType<typeof makeAlertSerializer>,
): Rows {
  const alerts: NewAlert[] = []
  const deliveries: NewDelivery[] = []
  for (const each of toRecord) {
    const finality = finalityOf(each)
    const own = each.isCollected || isSilent(each) ? [] : deliveriesOf(each, locked, at, finality !== null)
    alerts.push(newAlertOf(each, serialize(each.alert), own, finality))
    for (const delivery of own) deliveries.push(delivery)
  }
  return { alerts, deliveries }
}

/** Alerts that show another block than the one that caused them. */
export function shownContents(
  alerts: readonly Pick<DraftAlert, 'id' | 'message' | 'trace' | 'shown_block'>[],
): ShownContent[] {
  return alerts.map(({ id, message, trace, shown_block: block = null }) => {
    return { id, message: storableJson(message), trace: storableJson(trace), block }
  })
}

/** Each column is named, because spreading an object with so many of them costs more than the rest of its row. */
function newAlertOf(
  { alert, isCollected, policyKey, deliveryKey, backfill }: AlertToRecord,
  { message, trace }: SerializedAlert,
  deliveries: readonly NewDelivery[],
  finality: string | null,
): NewAlert {
  const isWaiting = finality !== null
  return {
    id: alert.id,
    kind: alert.kind,
    subscription_id: alert.subscription_id,
    rule_id: alert.rule_id,
    account_id: alert.account_id,
    workspace_id: alert.workspace_id,
    project_id: alert.project_id,
    trigger_id: alert.trigger_id,
    project: alert.project,
    trigger: alert.trigger,
    status: firstStatus({ isCollected, isWaiting, deliveries: deliveries.map(({ status }) => status) }),
    severity: alert.severity,
    state: alert.state,
    resolves: alert.resolves,
    duration_ms: alert.duration_ms,
    source: alert.source,
    block_number: alert.block_number,
    block_hash: alert.block_hash,
    incarnation: alert.incarnation,
    policy_key: policyKey,
    delivery_key: deliveryKey,
    backfilled: backfill !== null,
    finality,
    is_collected: isWaiting && isCollected,
    reason: reasonOf(finality, alert.block_number),
    item_at: alert.item_at,
    message,
    trace,
  }
}

/** Counts the alerts that are new, and their deliveries that failed at once. */
function countRows({ alerts, deliveries }: Rows, added: ReadonlySet<string>, counts: CountChanges): void {
  for (const alert of alerts) if (added.has(alert.id)) counts.add(alert, 'recorded')
  const failed = deliveries.filter(({ status }) => status === 'dead')
  if (failed.length === 0) return
  const byId = new Map(alerts.map((alert) => [alert.id, alert]))
  for (const { alert_id, resource_id } of failed) {
    const alert = added.has(alert_id) ? byId.get(alert_id) : undefined
    if (alert) counts.add(alert, 'failed', resource_id)
  }
}

/** The alert is from a history that is listed and not sent. */
function isSilent({ backfill }: AlertToRecord): boolean {
  return backfill !== null && !backfill.delivers
}

/** What the alert has to wait for, as the store names it. An alert without a block cannot wait. */
function finalityOf(each: AlertToRecord): string | null {
  const { listener, alert } = each
  const { finality } = listener.delivery
  if (isSilent(each)) return null
  if (finality === undefined || finality === 'seen' || alert.source === null || alert.block_number === null) return null
  return typeof finality === 'string' ? finality : String(finality.confirmations)
}

function reasonOf(finality: string | null, block: number | null): string | null {
  if (finality === null) return null
  if (finality === 'safe' || finality === 'finalized') return `Waits until block ${block} is ${finality}.`
  return `Waits until ${finality === '1' ? 'a block follows' : `${finality} blocks follow`} block ${block}.`
}

/** Chunks come in any order, and people read alerts by the time of their items. */
export function sortByItemTime<T extends Pick<AlertToRecord, 'alert'>>(alerts: readonly T[]): T[] {
  return alerts.toSorted(({ alert: a }, { alert: b }) => {
    if (a.item_at !== b.item_at) return a.item_at < b.item_at ? -1 : 1
    return Number(a.block_number ?? 0) - Number(b.block_number ?? 0)
  })
}

/** A delivery to a resource that is not ready fails at once. It is listed and can be replayed when the resource is ready. */
function deliveriesOf(
  { listener, alert }: AlertToRecord,
  locked: LockedRows,
  at: Date,
  isWaiting: boolean,
): NewDelivery[] {
  const deliveries: NewDelivery[] = []
  for (const { id: resource_id } of listener.resources) {
    const resource = locked.resources.get(resource_id)
    if (!resource) continue
    const { fullname, blueprint, ready, remark } = resource
    const error = `The resource is not ready${remark ? `: ${remark}` : ''}`
    deliveries.push({
      id: deliveryId(alert.id, resource_id, 'alert'),
      alert_id: alert.id,
      resource_id,
      resource: fullname,
      blueprint,
      status: ready ? (isWaiting ? 'waiting' : 'pending') : 'dead',
      attempts: ready ? [] : [{ at: at.toISOString(), ok: false, durationMs: 0, error }],
    })
  }
  return deliveries
}

/** An alert's parts as JSON that the store accepts. */
type SerializedAlert = { message: string; trace: string }

/** Serializes the alerts of one commit. An item with many listeners is serialized once. */
function makeAlertSerializer(): (alert: DraftAlert) => SerializedAlert {
  const texts = new Map<unknown, string>()
  const textOf = (value: unknown) => {
    if (typeof value !== 'object' || value === null) return storableJson(value)
    const text = texts.get(value) ?? storableJson(value)
    texts.set(value, text)
    return text
  }
  return (alert) => {
    const { item, raw, human, ...others } = alert.trace
    const itemText = textOf(item)
    const rawText = raw === undefined ? itemText : textOf(raw)
    const humanText = human === undefined ? rawText : textOf(human)
    const outputs = `${raw === undefined ? '' : `,"raw":${rawText}`}${human === undefined ? '' : `,"human":${humanText}`}`
    const message = storableJson(alert.message)
    const trace = `{"item":${itemText}${outputs},${storableJson(others).slice(1)}`
    return { message, trace }
  }
}

/** Tells metrics and traces of the alerts that a commit added, and of the chunks that it committed. */
export function noteAlerts(
  { meter, tracing, clock }: Pick<RuntimeDeps, 'meter' | 'tracing' | 'clock'>,
  alerts: readonly AddedAlert[],
  chunks: readonly ChunkResult[],
  startedAt: Date,
): void {
  countAlerts(meter, alerts)
  if (!tracing) return
  const times = { startMs: startedAt.getTime(), endMs: clock().getTime() }
  const jobOf = new Map(
    chunks.flatMap(({ claimed, candidates }) => candidates.map(({ alert }) => [alert?.id, claimed.id] as const)),
  )
  for (const { id, trigger, severity, source, block_hash: blockHash } of alerts)
    tracing.alert({ source, blockHash }, { id, trigger, severity, jobId: jobOf.get(id) }, times)
}

/** Most alerts of a commit are of one kind, so neighbours are counted together. */
function countAlerts(meter: RuntimeDeps['meter'], alerts: readonly AddedAlert[]): void {
  let count = 0
  for (const [at, { severity, state }] of alerts.entries()) {
    count += 1
    const next = alerts[at + 1]
    if (next?.severity === severity && next.state === state) continue
    meter.alerts(severity, state, count)
    count = 0
  }
}
