import type { Store } from '../../store/index.ts'
import { outsideWorkspace } from '../bound-store.ts'
import type { Access } from '../handler.ts'
import { requireOwnedName } from '../names.ts'
import { Refusal } from '../refusal.ts'
import type { Conflict, Place } from './conflicts.ts'

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
