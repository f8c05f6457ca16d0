import { createHash } from 'node:crypto'
import type { AlertFilter, AlertMatch, AlertTextRow, TracedAlertRow } from '../../store/alerts/alerts.ts'
import { isoText } from '../../store/core/pool.ts'
import type { Store } from '../../store/index.ts'
import { requireMember, requireReadableProject, requireReadableTrigger } from '../access.ts'
import { BytesPage, Events, requireSeqCursor, Tagged, tagOf } from '../answers.ts'
import type { Account, Context, Handler } from '../handler.ts'
import { notFound } from '../refusal.ts'
import { traceView, valuesView } from './views.ts'

export const listAlerts: Handler<'listAlerts'> = async ({ account, query, store }) => {
  const filter = await requireFilter(store, account, query)
  const page = { limit: query.limit, after: requireSeqCursor(query.cursor) }
  const bytesOf = (row: AlertTextRow) => Buffer.from(alertText(row))
  const { rows, next } = await store.alerts.listBytes(account.id, filter, page, bytesOf)
  return new BytesPage(
    rows.map(({ bytes }) => bytes),
    next,
  )
}

export const getAlert: Handler<'getAlert'> = async ({ account, params, store }) => {
  const row = await requireAlert(store, account, params.id)
  const view = await readTrace(store, row)
  return new Tagged(view, tagOf({ id: row.id, version: hashOf(view) }))
}

/** An alert without a key was not made by a policy that compares values, or its subscription is deleted. */
export const getAlertValues: Handler<'getAlertValues'> = async ({ account, params, store }) => {
  const { subscription_id, rule_id, policy_key } = await requireAlert(store, account, params.id)
  if (subscription_id === null || rule_id === null || policy_key === null) return { values: [], alerts: [] }
  const name = { subscriptionId: subscription_id, ruleId: rule_id, key: policy_key }
  const values = await store.policyValues.list(name)
  const [first] = values
  return valuesView(values, first ? await store.policyValues.listAlerts(name, first.at) : [])
}

/** Streams events from now on, or after the event that `Last-Event-ID` names. The lists hold earlier ones. */
export const streamEvents: Handler<'streamEvents'> = async (context) => {
  const { account, access, query, store, streams, lastEventId } = context
  const workspace = query.workspace ?? access.workspace?.fullname
  const workspaceId = workspace === undefined ? undefined : (await requireMember(store, account, workspace)).id
  const stream = await streams.open(account.id, workspaceId, lastEventId)
  return new Events((signal) => stream.follow(signal), workspaceId)
}

/** A delivery can change an alert without writing its row, so the ETag is a hash of the view. */
function hashOf(view: object): string {
  return createHash('sha256').update(JSON.stringify(view)).digest('base64url').slice(0, 22)
}

export async function requireAlert(store: Store, account: Account, id: string): Promise<TracedAlertRow> {
  const row = await store.alerts.find(id, account.id)
  if (!row) throw notFound('There is no such alert that you may see.')
  return row
}

export async function readTrace(store: Store, row: TracedAlertRow): Promise<ReturnType<typeof traceView>> {
  const deliveries = await store.alerts.listDeliveries(row.id)
  const resolving = row.state === 'firing' ? await store.alerts.findResolving(row.id) : undefined
  return traceView(row, deliveries, resolving)
}

async function requireFilter(store: Store, account: Account, query: Context<'listAlerts'>['query']) {
  const { workspace, project, trigger, subscription, status, severity, state, since, q } = query
  const filter: AlertFilter & AlertMatch = {
    ...(status !== undefined && { status }),
    ...(severity !== undefined && { severity }),
    ...(state !== undefined && { state }),
    ...(since !== undefined && { since: new Date(since) }),
    ...(q !== undefined && { words: q }),
  }
  if (workspace !== undefined) filter.workspaceId = (await requireMember(store, account, workspace)).id
  if (project !== undefined) filter.projectId = (await requireReadableProject(store, account, project)).id
  if (trigger !== undefined) filter.triggerId = (await requireReadableTrigger(store, account, trigger)).id
  if (subscription !== undefined) filter.subscriptionId = await requireSubscriptionId(store, account, subscription)
  return filter
}

async function requireSubscriptionId(store: Store, account: Account, id: string): Promise<string> {
  const found = await store.subscriptions.find(id, account.id)
  if (!found) throw notFound('There is no such subscription that you may see.')
  return found.id
}

/**
 * The JSON of `alertView`. The message and the destinations are sent as the store has them: for a page of a thousand alerts,
 * parsing them, making the views and writing them again took half of the time of the service.
 */
export function alertText(row: AlertTextRow): string {
  return (
    `{"id":${quoted(row.id)}${field('subscription', row.subscription_id)},"workspace":${quoted(row.workspace)}` +
    `,"project":${quoted(row.project)},"trigger":${quoted(row.trigger)}${field('resource', row.about_resource)}` +
    `,"status":"${row.status}","severity":"${row.severity}","state":${row.state === null ? 'null' : `"${row.state}"`}` +
    `${field('resolves', row.resolves)}${row.duration_ms === null ? '' : `,"durationMs":${Number(row.duration_ms)}`}` +
    `,"backfilled":${row.backfilled},"hasDeliveries":${row.has_deliveries},"destinations":${row.destinations}` +
    `${field('reason', row.reason)}${field('retryError', row.retry_error)},"message":${row.message}` +
    `${field('source', row.source)}${blockField(row)}` +
    `,"createdAt":"${isoText(row.created_at)}","updatedAt":"${isoText(row.updated_at)}"}`
  )
}

function blockField({ block_hash, block_number, shown_block: shown }: AlertTextRow): string {
  if (shown) return `,"block":{"number":${shown.number},"hash":${quoted(shown.hash)}}`
  if (block_hash === null || block_number === null) return ''
  return `,"block":{"number":${Number(block_number)},"hash":${quoted(block_hash)}}`
}

/** A field that is left out if it has no value. */
function field(name: string, value: string | null): string {
  return value ? `,"${name}":${quoted(value)}` : ''
}

function quoted(text: string): string {
  return JSON.stringify(text)
}
