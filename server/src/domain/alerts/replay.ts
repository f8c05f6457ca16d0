import type { FailedFilter, ReplayChoice, Resent, Sending } from '../../store/alerts/replays.ts'
import type { Store } from '../../store/index.ts'
import { requireLevel } from '../access.ts'
import { recordChange } from '../audit.ts'
import type { Handler } from '../handler.ts'
import { notFound } from '../refusal.ts'
import { readTrace, requireAlert } from './read.ts'

/** The most alerts that one call resends, so that its transaction stays short. */
const resentMax = 1_000

/** Everyone who sees the alert may replay it. It goes to the same resources under the same id. */
export const replayAlert: Handler<'replayAlert'> = async (context) => {
  const { account, params, body, store, now } = context
  const { id, status, workspace_id: workspaceId } = await requireAlert(store, account, params.id)
  await store.tx(async (store) => {
    await sendAgain(store, [id], { all: status === 'delivered', ...body }, now)
    await recordChange(store, context, { action: 'alert.replay', workspaceId, fullname: id })
  })
  return readTrace(store, await requireAlert(store, account, id))
}

/** Each alert is replayed as by `replayAlert`. One that the account does not see, or that cannot be sent, stops no other. */
export const replayAlerts: Handler<'replayAlerts'> = async (context) => {
  const { account, body, store, now } = context
  const visible = await store.alerts.listVisible(body.ids, account.id)
  const idsFor = (all: boolean) =>
    visible.flatMap(({ id, status }) => ((body.all ?? status === 'delivered') === all ? id : []))
  const resent = await store.tx(async (store) => {
    const sent = [
      ...(await sendAgain(store, idsFor(true), { all: true }, now)),
      ...(await sendAgain(store, idsFor(false), { all: false }, now)),
    ]
    const resent = Map.groupBy(sent, ({ alert_id }) => alert_id)
    for (const { id, workspace_id: workspaceId } of visible)
      if (resent.has(id)) await recordChange(store, context, { action: 'alert.replay', workspaceId, fullname: id })
    return resent
  })
  return replayedView(body.ids, new Set(visible.map(({ id }) => id)), resent)
}

function replayedView(ids: readonly string[], visible: ReadonlySet<string>, resent: ReadonlyMap<string, Resent[]>) {
  const items = ids.map((id) => {
    const deliveries = resent.get(id)?.length ?? 0
    const outcome = deliveries > 0 ? 'resent' : visible.has(id) ? 'nothing_to_send' : 'not_found'
    return { id, outcome, deliveries } as const
  })
  return { totalCount: items.length, resentCount: items.filter(({ deliveries }) => deliveries > 0).length, items }
}

/** Owners and admins see all alerts of a workspace, so they may resend all of them. */
export const resendFailed: Handler<'resendFailed'> = async (context) => {
  const { account, params, body, store, now } = context
  const { id: workspaceId, fullname } = await requireLevel(store, account, params.fullname, 'admin')
  const { since, resource, dryRun = false } = body
  const resourceId = resource === undefined ? undefined : await requireResourceId(store, workspaceId, resource)
  return store.tx(async (store) => {
    const resent = await resend(store, { workspaceId, since: new Date(since), resourceId }, dryRun, now)
    if (!dryRun && resent.deliveries > 0)
      await recordChange(store, context, { action: 'alert.resend', workspaceId, fullname })
    return resent
  })
}

/** An alert that was resent is pending and no longer failed, so a repeated call sends nothing twice. */
async function resend(store: Store, filter: FailedFilter, dryRun: boolean, now: Date) {
  const waiting = await store.replays.listWaiting(filter, resentMax, now)
  // Lanes before alerts, in the order in which the delivery loop locks them, so that the two cannot deadlock.
  if (!dryRun) await store.replays.endPauses(waiting.map((one) => one.resource_id))
  const alertIds = await store.replays.lockFailed(filter, resentMax)
  const isComplete = alertIds.length < resentMax && waiting.length < resentMax
  const chosen = await store.replays.choose(alertIds, { all: false, resourceId: filter.resourceId }, now)
  const sending = { ...chosen, waiting: uniqueById([...waiting, ...chosen.waiting]) }
  const resent = dryRun ? [...sending.waiting, ...sending.ended] : await send(store, alertIds, sending, now)
  return { alerts: alertIds.length, deliveries: resent.length, isComplete }
}

function uniqueById<One extends { id: string }>(list: readonly One[]): One[] {
  return [...new Map(list.map((one) => [one.id, one])).values()]
}

async function send(store: Store, alertIds: readonly string[], sending: Sending, now: Date): Promise<Resent[]> {
  const resent = await store.replays.send(sending, now)
  await store.deliveries.updateAlertStatuses(alertIds, now)
  await store.jobs.wakeLanes(new Set(resent.map((one) => one.resource_id)))
  return resent
}

async function requireResourceId(store: Store, workspaceId: string, fullname: string): Promise<string> {
  const found = await store.resources.findInWorkspace(fullname, workspaceId)
  if (found === undefined) throw notFound(`There is no resource "${fullname}" in this workspace.`)
  return found
}

/** Returns the deliveries that are sent. A retracted alert is not sent again, a waiting one not yet. */
export function sendAgain(
  store: Store,
  alertIds: readonly string[],
  choice: ReplayChoice,
  now: Date,
): Promise<Resent[]> {
  return store.tx(async (store) => {
    const sendable = await store.deliveries.lockSendable(alertIds)
    if (sendable.length === 0) return []
    return send(store, sendable, await store.replays.choose(sendable, choice, now), now)
  })
}
