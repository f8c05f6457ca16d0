import type { Issue, TriggerSave } from '@tocsin/contract'
import { isObject } from '../../engine/base/json.ts'
import { checkSpelling } from '../../engine/check/index.ts'
import { checkDefinitionInTurn, readStructureInTurn } from '../../engine/threads/index.ts'
import { statusAfterReset } from '../../store/triggers/trigger-status.ts'
import type { WholeTrigger } from '../../store/triggers/triggers.ts'
import { findReadableTrigger, requireProjectLevel, requireRank } from '../access.ts'
import { done, requireMatch, Tagged, tagOf } from '../answers.ts'
import { changedPaths, recordChange } from '../audit.ts'
import type { Caller } from '../find-source.ts'
import type { Handler } from '../handler.ts'
import { requireSameName, requireTriggerName } from '../names.ts'
import { requireRoom, requireStoredRoom } from '../quotas.ts'
import { invalidPayload, notFound, Refusal } from '../refusal.ts'
import { checkAgainstStore, checkSecretNames } from './check-stored.ts'
import { definitionOf, draftContentOf, fieldsOf } from './content.ts'
import { lockEditable, projectOf, requireEditable } from './find.ts'
import { findListening, findUnreadableBindings } from './sources.ts'
import { draftView, openDraftView } from './views.ts'

/** Only developers see drafts. A draft may exist before its trigger. */

export const getTriggerDraft: Handler<'getTriggerDraft'> = async ({ account, params, store, settings }) => {
  const saved = await findReadableTrigger(store, account, params.fullname)
  if (saved) requireRank(saved.level, 'developer')
  else await requireProjectLevel(store, account, projectOf(params.fullname), 'developer')
  return answer({ store, account, settings }, saved?.fullname ?? params.fullname, saved)
}

export const saveTriggerDraft: Handler<'saveTriggerDraft'> = async ({
  account,
  ip,
  params,
  body,
  preconditions,
  store,
  now,
  settings,
}) => {
  requireSameName(params.fullname, body.fullname)
  requireTriggerName(body)
  const { fullname } = body
  return store.tx(async (store) => {
    await store.triggers.lockProject(body.project)
    const project = await requireProjectLevel(store, account, body.project, 'developer')
    await store.triggerDrafts.lockName(fullname)
    const draft = await store.triggerDrafts.lock(fullname)
    const saved = await store.triggers.findReadable({ fullname }, account.id)
    requireMatch(preconditions, draft ? tagged(draft) : saved)
    if (!draft && !saved) await requireRoom(store, settings, project.workspace_id, 'triggers')
    const content = draftContentOf(body)
    const before = (await store.triggerDrafts.findReadable(fullname, account.id))?.content ?? (saved && fieldsOf(saved))
    await store.triggerDrafts.save({ fullname, projectId: project.id, content, savedBy: account.id }, now)
    await requireStoredRoom(store, settings, project.workspace_id)
    const paths = changedPaths(before, content)
    const change = { action: 'draft.save', workspaceId: project.workspace_id, fullname, paths } as const
    await recordChange(store, { account, ip, now }, change)
    return answer({ store, account, settings }, fullname, saved)
  })
}

export const deleteTriggerDraft: Handler<'deleteTriggerDraft'> = ({ account, ip, params, preconditions, store, now }) =>
  store.tx(async (store) => {
    const project = await requireProjectLevel(store, account, projectOf(params.fullname), 'developer')
    const draft = await store.triggerDrafts.lock(params.fullname)
    requireMatch(preconditions, draft && tagged(draft))
    if (!draft) throw notFound(`There is no draft of "${params.fullname}".`)
    await store.triggerDrafts.remove([params.fullname])
    const change = { action: 'draft.delete', workspaceId: project.workspace_id, fullname: params.fullname } as const
    await recordChange(store, { account, ip, now }, change)
    return done
  })

/** The draft, or the saved trigger if there is none. */
async function answer({ store, account, settings }: Caller, fullname: string, saved: WholeTrigger | undefined) {
  const draft = await store.triggerDrafts.findReadable(fullname, account.id)
  if (draft) return new Tagged(openDraftView(draft, saved, settings), tagOf(tagged(draft)))
  if (saved) return new Tagged(draftView(saved, settings), tagOf(saved))
  throw notFound(`There is no trigger "${fullname}" and no draft of it.`)
}

/** A trigger may have the id of its draft, but their ETags must differ. */
function tagged({ id, version }: { id: string; version: number }) {
  return { id: `draft-${id}`, version }
}

/** Finds the same issues as a save, without saving. */
export const validateTriggerDraft: Handler<'validateTriggerDraft'> = async ({ body, params, ...caller }) => {
  if (!isObject(body)) throw invalidPayload([{ path: '', message: 'must be an object' }])
  const project = typeof body.project === 'string' ? body.project : projectOf(params.fullname)
  const { id } = await requireProjectLevel(caller.store, caller.account, project, 'developer')
  const read = await readStructureInTurn(caller.account.id, body, caller.settings.limits)
  if (!read.ok) return { valid: false, issues: read.issues }
  const trigger = read.definition
  const { missing } = await findListening(caller, definitionOf(trigger), trigger.workspace)
  const issues = [
    ...nameIssues(params.fullname, trigger),
    ...(await checkDefinitionInTurn(caller.account.id, trigger)),
    ...checkSpelling(trigger.triggerSpec, 'triggerSpec'),
    ...(await checkAgainstStore(caller, trigger)),
    ...(await checkSecretNames(caller.store, id, trigger.providers)),
    ...(missing ? [missing] : []),
    ...(await findUnreadableBindings(caller, trigger.sourceBindings)),
  ]
  return { valid: issues.length === 0, issues, trigger }
}

function nameIssues(fullname: string, trigger: TriggerSave): Issue[] {
  try {
    requireSameName(fullname, trigger.fullname)
    requireTriggerName(trigger)
    return []
  } catch (error) {
    if (error instanceof Refusal) return [{ path: 'fullname', message: error.message }]
    throw error
  }
}

export const resetTriggerTestStatus: Handler<'resetTriggerTestStatus'> = ({
  account,
  ip,
  params,
  store,
  now,
  settings,
}) =>
  store.tx(async (store) => {
    const { fullname } = params
    const [before] = await lockEditable(store, account, [fullname])
    const next = before && statusAfterReset(before, now)
    if (next) {
      await store.triggerStatuses.setStatus(before.id, next)
      if (before.data_source !== null) await store.triggerStatuses.breakByKnownParts(before.data_source, now)
      const change = { action: 'trigger.reset', workspaceId: before.workspace_id, fullname, paths: ['status'] } as const
      await recordChange(store, { account, ip, now }, change)
    }
    const trigger = draftView(await requireEditable(store, account, fullname), settings)
    const updated = next !== undefined
    return { fullname, dryRun: false, updated, changedPaths: updated ? ['status'] : [], trigger }
  })
