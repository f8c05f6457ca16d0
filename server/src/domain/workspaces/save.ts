import type { WorkspaceSave } from '@tocsin/contract'
import type { z } from 'zod'
import { newToken } from '../../store/core/secret-box.ts'
import type { WorkspaceRow } from '../../store/identity/workspaces.ts'
import type { Store } from '../../store/index.ts'
import { requireLevel } from '../access.ts'
import { done, requireMatch, Tagged, tagOf } from '../answers.ts'
import { type Actor, changedPaths, recordChange } from '../audit.ts'
import type { Handler } from '../handler.ts'
import { requireSameName, requireWorkspaceName } from '../names.ts'
import { notFound, Refusal } from '../refusal.ts'
import { removeWorkspace } from '../remove-workspace.ts'
import { workspaceView } from './read.ts'

type Save = z.output<typeof WorkspaceSave>

export const saveWorkspace: Handler<'saveWorkspace'> = async (context) => {
  const { account, params, body, preconditions, store, now } = context
  requireSameName(params.fullname, body.fullname)
  requireWorkspaceName(body.fullname)
  return store.tx(async (store) => {
    const { ifMatch } = preconditions
    if (ifMatch !== undefined && !(await store.workspaces.find(body.fullname))) requireMatch(preconditions, undefined)
    const created = ifMatch === undefined ? await create(store, context, body) : undefined
    if (created) return new Tagged(await workspaceView(store, created, 'owner'), tagOf(created))
    if (body.createOnly) throw new Refusal('already_exists', `The workspace "${body.fullname}" exists already.`)
    const member = await requireLevel(store, account, body.fullname, 'admin')
    const current = await store.workspaces.lock(member.id)
    if (!current) throw notFound()
    requireMatch(preconditions, current)
    if (body.resetInvite) await store.workspaces.setInvite(member.id, newToken('invite'))
    const updated = await store.workspaces.update(member.id, body, now)
    const paths = [
      ...changedPaths(auditedFields(current), auditedFields(body)),
      ...(body.resetInvite ? ['invite'] : []),
    ]
    await recordSave(store, context, updated, paths)
    return new Tagged(await workspaceView(store, updated, member.level), tagOf(updated))
  })
}

/** The account that creates a workspace owns it. */
async function create(store: Store, actor: Actor, body: Save): Promise<WorkspaceRow | undefined> {
  const { account, now } = actor
  const row = await store.workspaces.add(body.fullname, body, newToken('invite'), now)
  if (!row) return undefined
  await store.members.add(row.id, account.id, 'owner', now)
  await recordSave(store, actor, row, changedPaths(undefined, auditedFields(body)))
  return row
}

function recordSave(store: Store, actor: Actor, { id: workspaceId, fullname }: WorkspaceRow, paths: string[]) {
  return recordChange(store, actor, { action: 'workspace.save', workspaceId, fullname, paths })
}

function auditedFields({ tags, labels, meta }: Pick<WorkspaceRow, 'tags' | 'labels' | 'meta'>) {
  return { tags, labels, meta }
}

export const deleteWorkspace: Handler<'deleteWorkspace'> = ({ account, params, preconditions, store, now }) =>
  store.tx(async (store) => {
    const member = await requireLevel(store, account, params.fullname, 'owner')
    const row = await store.workspaces.lock(member.id)
    if (!row) throw notFound()
    requireMatch(preconditions, row)
    if (await store.workspaces.ownsAnything(row.id)) throw new Refusal('workspace_not_empty')
    await removeWorkspace(store, row.id, now)
    return done
  })
