import { issuesOf, type Level } from '@tocsin/contract'
import type { Destination, PlainSetup } from '../../engine/destinations/index.ts'
import type { ResourceData, ResourceRow } from '../../store/alerts/resource-rows.ts'
import { newToken } from '../../store/core/secret-box.ts'
import type { Store } from '../../store/index.ts'
import { requireLevel } from '../access.ts'
import { done, requireMatch } from '../answers.ts'
import { changedPaths, recordChange } from '../audit.ts'
import type { Context, Handler } from '../handler.ts'
import { requireOwnedName, requireSameName } from '../names.ts'
import { requireStoredRoom } from '../quotas.ts'
import { invalidPayload, notFound, Refusal } from '../refusal.ts'
import { keepStack } from '../stack-mark.ts'
import { sendConfirmation } from './confirmation.ts'
import { requireDestination, requireResourceLevel } from './find.ts'
import { taggedResource } from './read.ts'
import { decideReadiness, waitingForConfirmation } from './readiness.ts'

type Saving = Omit<Context<'saveResource'>, 'params'>
type Confirming = Parameters<typeof sendConfirmation>[0]
/** What the names in the payload refer to. */
type Referred = { workspaceId: string; projectId: string | null; notifyResourceId: string | null }

export const saveResource: Handler<'saveResource'> = async (context) => {
  const { params, body, store, now } = context
  requireSameName(params.fullname, body.fullname)
  const { row, level } = await store.tx((store) => writeResource({ ...context, store }))
  const remark = await confirmAddress(context, row)
  return taggedResource(store, { ...row, remark }, level, now)
}

/** Runs after the transaction. Returns the remark of the resource after the confirmation e-mail, if it needs one. */
export async function confirmAddress(context: Confirming, row: ResourceRow): Promise<string | null> {
  if (row.remark !== waitingForConfirmation) return row.remark
  const remark = await sendConfirmation(context, row)
  if (remark === undefined) return row.remark
  await context.store.resources.setRemark(row.id, remark)
  return remark
}

/** Creates or updates the resource, in a transaction. */
export async function writeResource(context: Saving): Promise<{ row: ResourceRow; level: Level }> {
  const { account, body, preconditions, store } = context
  requireOwnedName(body)
  const member = await requireLevel(store, account, body.workspace, 'admin')
  // The lock makes two first saves follow each other, and keeps the workspace from being deleted in between.
  if (!(await store.workspaces.lock(member.id))) throw notFound()
  const referred = {
    workspaceId: member.id,
    projectId: await requireProjectId(store, member.id, body.project),
    notifyResourceId: await requireNotifierId(store, member.id, body),
  }
  const current = await store.resources.lock({ fullname: body.fullname })
  requireMatch(preconditions, current)
  if (current) await update(context, current, referred)
  else await create(context, referred)
  const row = await store.resources.lock({ fullname: body.fullname })
  if (!row) throw notFound()
  await requireStoredRoom(store, context.settings, member.id)
  const paths = changedPaths(current && auditedFields(store, current), auditedFields(store, row))
  await recordChange(store, context, { action: 'resource.save', workspaceId: member.id, fullname: row.fullname, paths })
  return { row, level: member.level }
}

function auditedFields(store: Store, row: ResourceRow) {
  const { project, blueprint, notify_on_failure: notifyOnFailure, tags, labels, meta } = row
  return { project, blueprint, data: store.resources.openData(row) ?? undefined, notifyOnFailure, tags, labels, meta }
}

async function create(context: Saving, referred: Referred): Promise<void> {
  const { body, store, now } = context
  const destination = requireDestination(body.blueprint)
  const data = requireData(destination, body.data)
  const readiness = await decideReadiness(store, context, destination, data)
  const token = destination.external ? newToken('resource') : null
  const labels = keepStack(body.labels)
  await store.resources.add({ ...body, labels, ...referred, ...readiness, token, data }, now)
}

async function update(context: Saving, current: ResourceRow, referred: Referred): Promise<void> {
  const { body, store, now } = context
  const destination = requireDestination(body.blueprint)
  if (current.blueprint !== destination.blueprint)
    throw new Refusal('immutable_field', `The blueprint of a resource never changes; it is "${current.blueprint}".`)
  const data = requireData(destination, body.data, store.resources.openData(current))
  if (!destination.external) {
    await keepOfFormer(context, destination, current, data)
    // A save by its owner switches the resource on again, whatever switched it off.
    const readiness = await decideReadiness(store, context, destination, data, current)
    await store.resources.setReadiness(current.id, readiness, now)
    await store.lanes.clearHistory(current.id)
  }
  const labels = keepStack(body.labels, current.labels)
  await store.resources.update(current.id, { ...body, ...referred, labels, data }, now)
}

/** The lock keeps the project from being transferred at the same moment. */
async function requireProjectId(
  store: Store,
  workspaceId: string,
  fullname: string | undefined,
): Promise<string | null> {
  if (fullname === undefined) return null
  const seen = await store.projects.find(fullname)
  const project = seen && (await store.projects.lock(seen.id))
  if (project?.workspace_id !== workspaceId)
    throw invalidPayload([{ path: 'project', message: 'must be a project of the same workspace' }])
  return project.id
}

/** A resource cannot report its own failure. */
async function requireNotifierId(
  store: Store,
  workspaceId: string,
  { fullname, notifyOnFailure }: Saving['body'],
): Promise<string | null> {
  if (notifyOnFailure === undefined || notifyOnFailure === null) return null
  const found =
    notifyOnFailure === fullname ? undefined : await store.resources.findInWorkspace(notifyOnFailure, workspaceId)
  if (found === undefined)
    throw invalidPayload([{ path: 'notifyOnFailure', message: 'must be another resource of the same workspace' }])
  return found
}

type Data = Record<string, unknown>

/** The data to store, checked by the blueprint. An external resource has no data: its setup brings the destination. */
function requireData(destination: Destination, sent: Data | undefined, stored?: Data): Data | null {
  if (destination.external) return null
  const parsed = destination.data.safeParse(sent ?? {})
  if (!parsed.success) throw invalidPayload(issuesOf(parsed.error).map(insideData))
  return destination.fill?.(parsed.data, stored) ?? parsed.data
}

function insideData(issue: { path: string; message: string }) {
  return { path: issue.path === '' ? 'data' : `data.${issue.path}`, message: issue.message }
}

/** Stores what the channel keeps of the former data. The caller holds the row's lock and has not written the new data yet. */
async function keepOfFormer(
  { store, now }: Saving,
  destination: PlainSetup,
  current: ResourceRow,
  after: ResourceData | null,
): Promise<void> {
  const before = store.resources.openData(current)
  if (!destination.keep || !before || !after) return
  const stored = (await store.destinations.readPrivate(current.id)) ?? {}
  const kept = destination.keep({ before, after, kept: stored, now })
  if (kept) await store.destinations.savePrivate(current.id, kept)
}

export const deleteResource: Handler<'deleteResource'> = ({ account, ip, params, preconditions, store, now }) =>
  store.tx(async (store) => {
    const { id } = await requireResourceLevel(store, account, params.fullname, 'admin')
    const row = await store.resources.lock({ id })
    if (!row) throw notFound()
    requireMatch(preconditions, row)
    await store.resources.remove(row.id)
    const { workspace_id: workspaceId, fullname } = row
    await recordChange(store, { account, ip, now }, { action: 'resource.delete', workspaceId, fullname })
    return done
  })
