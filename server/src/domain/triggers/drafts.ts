import type { WholeTrigger } from '../../store/triggers/triggers.ts'
import { findReadableTrigger, requireProjectLevel, requireRank } from '../access.ts'
import { done, requireMatch, Tagged, tagOf } from '../answers.ts'
import { changedPaths, recordChange } from '../audit.ts'
import type { Caller } from '../find-source.ts'
import type { Handler } from '../handler.ts'
import { requireSameName, requireTriggerName } from '../names.ts'
import { requireRoom, requireStoredRoom } from '../quotas.ts'
import { notFound } from '../refusal.ts'
import { draftContentOf, fieldsOf } from './content.ts'
import { projectOf } from './find.ts'
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
