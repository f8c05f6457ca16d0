import type { TransferConflict } from '@tocsin/contract'
import type { z } from 'zod'
import type { Store } from '../../store/index.ts'
import type { Account } from '../handler.ts'

export type Conflict = z.output<typeof TransferConflict>
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
