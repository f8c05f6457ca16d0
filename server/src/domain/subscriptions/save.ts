import { type Issue, type SubscriptionSave, workspaceOfHealth } from '@tocsin/contract'
import { checkDefaults } from '../../engine/check/index.ts'
import type { SubscriptionFields, SubscriptionRow } from '../../store/alerts/subscriptions.ts'
import type { Store } from '../../store/index.ts'
import { requireLevel, requireMember, requireReadableProject } from '../access.ts'
import { requireMatch } from '../answers.ts'
import { type Actor, changedPaths, recordChange } from '../audit.ts'
import type { Caller } from '../find-source.ts'
import type { Account, Handler } from '../handler.ts'
import { requireRoom, requireStoredRoom } from '../quotas.ts'
import { invalidPayload, notFound } from '../refusal.ts'
import { beginAbsence } from './change.ts'
import { type ChosenFields, readChoice } from './choice.ts'
import { readHistoryStart } from './history-start.ts'
import { holdOwnSubscription, requireSubscription } from './read.ts'
import { taggedSubscription } from './views.ts'

/** The chain is asked for the start of a history before the transaction, after the caller's access is known. */
export const createSubscription: Handler<'createSubscription'> = async (context) => {
  const { account, body, store, now, settings } = context
  const from = body.from && { ...body.from, delivers: body.deliverHistory }
  const history = from && (await readHistoryStart(context, await requireFields(store, account, body), from))
  return store.tx(async (store) => {
    const fields = await requireFields(store, account, body)
    await requireRoom(store, settings, fields.workspaceId, 'subscriptions')
    const id = await store.subscriptions.add(account.id, fields, now)
    if (body.paused) await store.subscriptions.setPaused(id, true, now)
    else await beginAbsence(store, id, fields)
    if (history) await store.histories.add(id, history, now)
    await requireStoredRoom(store, settings, fields.workspaceId)
    return savedView(store, context, id, undefined)
  })
}

export const saveSubscription: Handler<'saveSubscription'> = async (context) => {
  const { account, params, body, preconditions, store, now, settings } = context
  return store.tx(async (store) => {
    const current = await holdOwnSubscription(store, account, params.id)
    requireMatch(preconditions, current)
    const fields = await requireFields(store, account, body)
    await store.subscriptions.update(current.id, fields, now)
    await beginAbsence(store, current.id, fields)
    if (isOtherChoice(current, fields))
      await store.histories.abort(current.id, 'The subscription was changed to other events.', now)
    await requireStoredRoom(store, settings, fields.workspaceId)
    return savedView(store, context, current.id, current)
  })
}

/**
 * Checks first that the account can see everything the payload names, and only then reports what is wrong with the
 * rest.
 */
async function requireFields(store: Store, account: Account, save: SubscriptionSave): Promise<SubscriptionFields> {
  const workspace = await requireMember(store, account, save.workspace)
  const project = await requireReadableProject(store, account, save.project)
  const resourceIds = await requireResources(store, account, save.resources)
  const { fields, issues } = await readChoice(store, account, project, save)
  await requireMayRead(store, account, fields)
  const all = [...issues, ...checkResources(save.resources), ...checkDefaults(save.overrides ?? {}, 'overrides')]
  if (all.length > 0) throw invalidPayload(all)
  return {
    workspaceId: workspace.id,
    projectId: project.id,
    ...fields,
    policy: save.policy ?? null,
    delivery: save.delivery ?? null,
    overrides: save.overrides ?? null,
    meta: save.meta,
    resourceIds,
  }
}

/** The health of a workspace tells what it watches and where it fails: not every member may read it. */
async function requireMayRead(store: Store, account: Account, fields: ChosenFields): Promise<void> {
  const streams = await store.subscriptions.listStreams(fields)
  for (const workspace of new Set(streams.flatMap((stream) => workspaceOfHealth(stream) ?? [])))
    await requireLevel(store, account, workspace, 'developer')
}

/** A history runs over the blocks of one source, which another choice may not have. */
function isOtherChoice(current: SubscriptionRow, { triggerId, templateId, topics }: SubscriptionFields): boolean {
  const isSameTopics = JSON.stringify(current.topics) === JSON.stringify(topics)
  return current.trigger_id !== triggerId || current.template_id !== templateId || !isSameTopics
}

async function requireResources(store: Store, account: Account, fullnames: string[]): Promise<string[]> {
  const ids: string[] = []
  for (const fullname of fullnames) {
    const found = await store.resources.findForMember({ fullname }, account.id)
    if (!found) throw notFound(`There is no resource "${fullname}" in a workspace that you are a member of.`)
    ids.push(found.id)
  }
  return ids
}

function checkResources(fullnames: string[]): Issue[] {
  return fullnames.flatMap((fullname, index) =>
    fullnames.indexOf(fullname) < index
      ? [{ path: `resources.${index}`, message: `"${fullname}" is named twice` }]
      : [],
  )
}

async function savedView(store: Store, actor: Actor & Caller, id: string, before: SubscriptionRow | undefined) {
  const { account, settings } = actor
  const row = await requireSubscription(store, account, id)
  const { workspace_id: workspaceId } = row
  const paths = changedPaths(before && auditedFields(before), auditedFields(row))
  await recordChange(store, actor, { action: 'subscription.save', workspaceId, fullname: id, paths })
  return taggedSubscription({ store, account, settings }, row)
}

function auditedFields(row: SubscriptionRow) {
  const {
    workspace,
    project,
    trigger,
    topics,
    vals: values,
    inputs,
    conditions,
    policy,
    delivery,
    overrides,
    meta,
  } = row
  const resources = row.resources.map(({ fullname }) => fullname)
  const chosen = { template: row.template_id, topics, values, trigger, inputs, conditions }
  const all = { workspace, project, ...chosen, policy, delivery, overrides, meta, resources }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null))
}
