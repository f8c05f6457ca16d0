import type { TransferConflict } from '@tocsin/contract'
import type { z } from 'zod'
import type { Store } from '../../store/index.ts'
import { outsideWorkspace } from '../bound-store.ts'
import type { Access, Account } from '../handler.ts'
import { requireOwnedName } from '../names.ts'
import { Refusal } from '../refusal.ts'

/** The checks that planning, offering and accepting a transfer share. */

export function requirePlace(workspace: string, name: string): Place {
  const place = { fullname: `${workspace}.${name}`, workspace, name }
  requireOwnedName(place)
  return place
}

/** A token that is bound to a workspace offers its projects to no other one: it may not look into it. */
export function requireInside({ workspace }: Access, targetWorkspace: string): void {
  if (workspace && workspace.fullname !== targetWorkspace) throw outsideWorkspace(workspace)
}

export async function requireNoBlockingAddon(store: Store, projectId: string): Promise<void> {
  const addon = await store.addons.findBlocking(projectId)
  if (!addon) return
  const message = `An add-on subscription in state ${addon.state} blocks the transfer. Cancel it or wait until it ends.`
  throw new Refusal('transfer_blocked_by_addon', message, { state: addon.state })
}

export function requireNoConflicts({ conflicts }: { conflicts: Conflict[] }): void {
  const [first] = conflicts
  if (first) throw new Refusal('transfer_conflicts', `The transfer has conflicts: ${first.message}`, { conflicts })
}

export function requireSamePlan({ planHash }: { planHash: string }, expected: string | undefined): void {
  if (expected !== undefined && expected !== planHash) throw new Refusal('plan_changed', undefined, { planHash })
}

type Conflict = z.output<typeof TransferConflict>
export type Place = { fullname: string; workspace: string; name: string }

/**
 * Lists what conflicts with a transfer, always in the same order. Of the target workspace the viewer learns only what they
 * may see. Other conflicts show when an owner of the target accepts.
 */
export async function findConflicts(
  store: Store,
  viewer: Account,
  source: Place,
  target: Place,
  resources: string[],
): Promise<Conflict[]> {
  if (target.workspace === source.workspace) return [sameWorkspace(target)]
  if (!(await store.workspaces.find(target.workspace))) return [noWorkspace(target)]
  const isTaken = (await store.projects.findReadable({ fullname: target.fullname }, viewer.id)) !== undefined
  const isMember = (await store.workspaces.findForMember(target.workspace, viewer.id)) !== undefined
  const taken = isMember ? await store.renames.findTakenResources(resources) : []
  return [...(isTaken ? [projectExists(target)] : []), ...taken.sort().map(resourceExists)]
}

function sameWorkspace(target: Place): Conflict {
  const message = `The project is already in the workspace "${target.workspace}".`
  return { code: 'target_workspace_same', message, entity: target.workspace }
}

function noWorkspace(target: Place): Conflict {
  const message = `There is no workspace "${target.workspace}".`
  return { code: 'target_workspace_not_found', message, entity: target.workspace }
}

function projectExists(target: Place): Conflict {
  const message = `There is already a project "${target.fullname}".`
  return { code: 'target_project_exists', message, entity: target.fullname }
}

function resourceExists(fullname: string): Conflict {
  return { code: 'target_resource_exists', message: `There is already a resource "${fullname}".`, entity: fullname }
}
