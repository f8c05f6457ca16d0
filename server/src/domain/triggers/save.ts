import type { TriggerSave } from '@tocsin/contract'
import { checkDefinitionInTurn } from '../../engine/threads/index.ts'
import type { Store } from '../../store/index.ts'
import type { WholeTrigger } from '../../store/triggers/triggers.ts'
import { requireProjectLevel } from '../access.ts'
import { done, requireMatch, Tagged, tagOf } from '../answers.ts'
import { type Actor, changedPaths, recordChange } from '../audit.ts'
import { requireLists } from '../condition-lists.ts'
import type { Caller } from '../find-source.ts'
import type { Context, Handler } from '../handler.ts'
import { requireSameName, requireTriggerName } from '../names.ts'
import { requireRoom, requireStoredRoom } from '../quotas.ts'
import { invalidPayload } from '../refusal.ts'
import type { Settings } from '../settings.ts'
import { keepStack } from '../stack-mark.ts'
import { checkAgainstStore } from './check-stored.ts'
import { fieldsOf } from './content.ts'
import { contentAfterSave } from './content-after-save.ts'
import { lockEditable, requireEditable } from './find.ts'
import { recordVersion } from './record-version.ts'
import { draftView } from './views.ts'

/** Scripts and ABIs are checked before the transaction. The role is checked before that work and again inside. */
export const saveTrigger: Handler<'saveTrigger'> = async (context) => {
  const { account, params, body, store, settings } = context
  requireSameName(params.fullname, body.fullname)
  requireTriggerName(body)
  await requireProjectLevel(store, account, body.project, 'developer')
  const issues = [
    ...(await checkDefinitionInTurn(account.id, body)),
    ...(await checkAgainstStore({ store, account, settings }, body)),
  ]
  if (issues.length > 0) throw invalidPayload(issues)
  const saved = await store.tx((store) => writeTrigger({ ...context, store }))
  return new Tagged(draftView(saved, settings), tagOf(saved))
}

type Saving = Pick<
  Context<'saveTrigger'>,
  'account' | 'body' | 'ip' | 'preconditions' | 'store' | 'now' | 'settings'
> & {
  /** The number of the version that is published again. */
  restoredFrom?: number
}

/** Creates or updates a checked trigger, in a transaction. */
export async function writeTrigger(saving: Saving): Promise<WholeTrigger> {
  const { account, body, preconditions, store, now, settings, restoredFrom } = saving
  const caller = { store, account, settings }
  await store.triggers.lockProject(body.project)
  const project = await requireProjectLevel(store, account, body.project, 'developer')
  await requireLists(store, body.workspace, body.conditions)
  let current = await findLocked(caller, body.fullname)
  requireMatch(preconditions, current)
  if (!current) await requireTriggerRoom(store, settings, project.workspace_id, body.fullname)
  // If the name is taken, another request created the trigger a moment ago.
  if (!current && !(await create(caller, project.id, body, now))) current = await findLocked(caller, body.fullname)
  if (current) await update(caller, current, body, now)
  await store.triggerDrafts.remove([body.fullname])
  const saved = await requireEditable(store, account, body.fullname)
  await recordVersion({ store, settings, after: saved, accountId: account.id, restoredFrom, now })
  await requireStoredRoom(store, settings, project.workspace_id)
  const { workspace_id: workspaceId, fullname } = saved
  const paths = changedPaths(current && fieldsOf(current), fieldsOf(saved))
  await recordChange(store, saving, { action: 'trigger.save', workspaceId, fullname, paths })
  return saved
}

/** A new trigger with a draft needs no room: the draft counts already. */
async function requireTriggerRoom(store: Store, settings: Settings, workspaceId: string, fullname: string) {
  if (!(await store.triggerDrafts.lock(fullname))) await requireRoom(store, settings, workspaceId, 'triggers')
}

async function findLocked({ store, account }: Caller, fullname: string): Promise<WholeTrigger | undefined> {
  await store.triggers.lock([fullname])
  return store.triggers.findReadable({ fullname }, account.id)
}

async function update(caller: Caller, current: WholeTrigger, body: TriggerSave, now: Date): Promise<void> {
  const payload = { ...body, labels: keepStack(body.labels, current.labels) }
  await caller.store.triggers.update(current.id, await contentAfterSave(caller, current, payload, now), now)
}

/** The trigger gets the id of its draft. Triggers that waited for its stream are restored. */
async function create(caller: Caller, projectId: string, body: TriggerSave, now: Date): Promise<boolean> {
  const { name, fullname } = body
  const draft = await caller.store.triggerDrafts.lock(fullname)
  const payload = { ...body, labels: keepStack(body.labels) }
  const content = await contentAfterSave(caller, undefined, payload, now)
  const isAdded = await caller.store.triggers.add({ ...content, id: draft?.id, projectId, name, fullname }, now)
  if (isAdded) await caller.store.triggerStatuses.restoreByStream(fullname, now)
  return isAdded
}

export const deleteTrigger: Handler<'deleteTrigger'> = ({ account, ip, params, preconditions, store, now }) =>
  store.tx(async (store) => {
    const rows = await lockEditable(store, account, [params.fullname])
    for (const row of rows) requireMatch(preconditions, row)
    await deleteAll(store, rows, { account, ip, now })
    return done
  })

/** Deletes the triggers with their drafts, and breaks the triggers that listened to their streams. */
export async function deleteAll(store: Store, rows: WholeTrigger[], actor: Actor): Promise<void> {
  await store.triggerDrafts.remove(rows.map((row) => row.fullname))
  await store.triggers.remove(rows.map((row) => row.id))
  for (const { fullname, workspace_id: workspaceId } of rows) {
    await store.triggerStatuses.breakByStream(fullname, `the stream "${fullname}" was deleted`, actor.now)
    await recordChange(store, actor, { action: 'trigger.delete', workspaceId, fullname })
  }
}
