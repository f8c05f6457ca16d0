import type { CustomSourceSave } from '@tocsin/contract'
import type { z } from 'zod'
import type { CustomSourceFields, CustomSourceRow } from '../../store/following/custom-sources.ts'
import type { MemberWorkspaceRow } from '../../store/identity/workspaces.ts'
import type { Store } from '../../store/index.ts'
import { requireLevel, requireRank } from '../access.ts'
import { done, requireMatch, Tagged, tagOf } from '../answers.ts'
import { changedPaths, recordChange } from '../audit.ts'
import type { Account, Context, Handler } from '../handler.ts'
import { requireSameName, requireSourceName } from '../names.ts'
import { requireStoredRoom } from '../quotas.ts'
import { notFound, Refusal } from '../refusal.ts'
import type { Settings } from '../settings.ts'
import { lockSource, missing } from './find.ts'
import { askNetwork, type Network, requireNoDuplicate } from './network.ts'
import { pendingStatus } from './runtime.ts'
import { sourceView } from './views.ts'

type Save = z.output<typeof CustomSourceSave>
type Saving = Omit<Context<'saveCustomSource'>, 'params'>

/** Every save makes a new revision, and the runtime restarts the source for it. */
export const saveCustomSource: Handler<'saveCustomSource'> = async (context) => {
  const { account, params, body, store } = context
  requireSameName(params.fullname, body.fullname)
  requireSourceName(body)
  await requireSaver(store, account, body)
  const network = await askNetwork(context)
  return store.tx((store) => writeSource({ ...context, store }, network))
}

/** Creates or updates the source, in a transaction. `network` is what its endpoints told, if they were asked. */
export async function writeSource(context: Saving, network: Network | undefined) {
  const { account, body, preconditions, store, now, settings } = context
  requireSourceName(body)
  const member = await requireSaver(store, account, body)
  // The lock makes two creations follow each other, and keeps the workspace from being deleted in between.
  if (!(await store.workspaces.lock(member.id))) throw notFound()
  const current = await store.customSources.lock(body.fullname)
  requireMode(body, current)
  requireMatch(preconditions, current)
  if (body.public) await requireNoDuplicate(store, current ?? body, network ?? current?.runtime ?? undefined)
  if (current) await update(store, current, body, now)
  else await create(context, member.id)
  const saved = await store.customSources.lock(body.fullname)
  if (!saved) throw missing(body.fullname)
  // The network is stored before the first run, so that a second public source of it is refused at once.
  if (network && !saved.runtime) await store.customSources.setRuntime(saved.id, network)
  await logSave(store, saved, now)
  const paths = changedPaths(current && auditedFields(store, current), auditedFields(store, saved))
  const change = { action: 'source.save', workspaceId: member.id, fullname: saved.fullname, paths } as const
  await recordChange(store, context, change)
  await requireStoredRoom(store, settings, member.id)
  return new Tagged(sourceView(store, saved, member.level), tagOf(saved))
}

/** Everyone sees a public source, so for a stranger a save of it is forbidden, not missing. */
export async function requireSaver(
  store: Store,
  account: Account,
  body: Pick<Save, 'fullname' | 'workspace'>,
): Promise<MemberWorkspaceRow> {
  const seen = await store.customSources.findReadable(body.fullname, account.id)
  if (seen) requireRank(seen.level, 'developer')
  return requireLevel(store, account, body.workspace, 'developer')
}

function requireMode(body: Save, current: CustomSourceRow | undefined): void {
  if (body.mode === 'create' && current)
    throw new Refusal('already_exists', `The custom source "${body.fullname}" exists already.`)
  if (body.mode === 'update' && !current) throw missing(body.fullname)
}

/** Triggers that wait for a source of this name are restored. */
async function create({ account, body, store, now, settings }: Saving, workspaceId: string): Promise<void> {
  await requireUnderLimit(store, account, settings)
  const { name, fullname, kind } = body
  await store.customSources.add(
    { ...fieldsOf(body), workspaceId, name, fullname, kind },
    pendingStatus(undefined, now),
    now,
  )
  await store.triggerStatuses.restoreBySource(fullname, now)
}

async function update(store: Store, current: CustomSourceRow, body: Save, now: Date): Promise<void> {
  if (current.kind !== body.kind)
    throw new Refusal('immutable_field', `The kind of a custom source never changes; it is "${current.kind}".`)
  await store.customSources.update(current.id, fieldsOf(body), pendingStatus(current.status, now), now)
  if (body.public && !current.public) await store.triggerStatuses.restoreBySource(current.fullname, now)
}

function fieldsOf(body: Save): CustomSourceFields {
  const { batchMaxCount, blockProcessingConcurrency, maxQueuedBlocks, confirmations, allowMethods, verify } = body
  const { explorer, nativeCurrency } = body
  const limits = { batchMaxCount, blockProcessingConcurrency, maxQueuedBlocks, confirmations, allowMethods, verify }
  const settings = { ...limits, explorer, nativeCurrency }
  return { public: body.public, endpoints: body.endpoints, settings, substrate: body.substrate, meta: body.meta }
}

function auditedFields(store: Store, row: CustomSourceRow) {
  const { public: isPublic, kind, settings, substrate, meta } = row
  const endpoints = store.customSources.openEndpoints(row)
  return { public: isPublic, kind, endpoints, ...settings, ...(substrate && { substrate }), meta }
}

async function logSave(store: Store, saved: CustomSourceRow, now: Date): Promise<void> {
  const { revision } = saved
  const message = revision === 1 ? 'Created' : 'Saved'
  await store.sourceLogs.add(saved.id, { level: 'info', message, details: { revision } }, now)
}

export const getCustomSourceCreateCapability: Handler<'getCustomSourceCreateCapability'> = async ({
  account,
  store,
  settings,
}) => {
  const limit = settings.limits.customSources
  const used = await store.sourceLimits.countManaged(account.id)
  return {
    canCreateCustomSources: limit === null || used < limit,
    customSourcesUsed: used,
    customSourcesLimit: limit,
  }
}

/**
 * Runs inside the transaction that creates the source, under a lock, so that two creations do not both count the same
 * number.
 */
export async function requireUnderLimit(store: Store, account: Account, settings: Settings): Promise<void> {
  const limit = settings.limits.customSources
  if (limit === null) return
  await store.sourceLimits.lockQuota(account.id)
  const used = await store.sourceLimits.countManaged(account.id)
  if (used >= limit) throw new Refusal('limit_reached', `The operator allows ${limit} custom sources.`, { limit, used })
}

export const deleteCustomSource: Handler<'deleteCustomSource'> = ({ account, ip, params, preconditions, store, now }) =>
  store.tx(async (store) => {
    const row = await lockSource(store, account, params.fullname, 'admin')
    requireMatch(preconditions, row)
    await store.customSources.remove(row.id)
    // Removing the row ends the lease of the process that follows the source. A later source of this name, perhaps of other
    // people, starts from its head and without a history.
    await store.followers.remove(row.fullname)
    await store.sourceBlocks.removeAll(row.fullname)
    await store.sourceMinutes.removeAll(row.fullname)
    const reason = `The data source "${row.fullname}" was deleted.`
    await store.waitingAlerts.giveUp(row.fullname, reason, now)
    await store.histories.abortOf(row.fullname, reason, now)
    await store.triggerStatuses.breakBySource(row.fullname, reason, now)
    const { workspace_id: workspaceId, fullname } = row
    await recordChange(store, { account, ip, now }, { action: 'source.delete', workspaceId, fullname })
    return done
  })
