import { isSegment, reservedWorkspaces } from '@tocsin/contract'
import { newToken } from '../../store/core/secret-box.ts'
import type { Store } from '../../store/index.ts'

const nameLengthMax = 56

/**
 * Gives a new account a workspace of its own, in the transaction that creates the account. The name comes from the
 * local part of the e-mail address; a taken or reserved name gets `-2`, `-3` and so on.
 */
export async function addPersonalWorkspace(
  store: Store,
  { id, email }: { id: string; email: string },
  now: Date,
): Promise<void> {
  const base = workspaceNameOf(email)
  const fields = { tags: [], labels: {}, meta: { title: 'Personal workspace' } }
  for (;;) {
    const taken = new Set([...reservedWorkspaces, ...(await store.workspaces.listNumbered(base))])
    const workspace = await store.workspaces.add(firstFree(base, taken), fields, newToken('invite'), now)
    // Another transaction took the name in between; the next list contains it.
    if (!workspace) continue
    await store.members.add(workspace.id, id, 'owner', now)
    return
  }
}

function firstFree(base: string, taken: ReadonlySet<string>): string {
  if (!taken.has(base)) return base
  for (let number = 2; ; number++) if (!taken.has(`${base}-${number}`)) return `${base}-${number}`
}

/** `Ann.Smith+alerts@example.org` → `ann-smith-alerts`. Short enough for a number behind it. */
export function workspaceNameOf(email: string): string {
  const local = email.slice(0, email.lastIndexOf('@')).toLowerCase()
  const name = local
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, nameLengthMax)
    .replaceAll(/^-+|(?<!-)-+$/g, '')
  return isSegment(name) ? name : 'personal'
}
