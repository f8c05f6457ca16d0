import { type Condition, Conditions, type Issue } from '@tocsin/contract'
import { fillLists, listNames, listsIn } from '../engine/conditions/lists.ts'
import type { ListToMatch } from '../store/identity/address-lists.ts'
import type { Store } from '../store/index.ts'
import type { Account } from './handler.ts'
import { invalidPayload } from './refusal.ts'

/** Checks that the workspace has each address list that conditions name. In a transaction the lists stay until its end. */
export async function checkLists(
  store: Store,
  workspace: string,
  condition: Condition | null | undefined,
  path: string,
): Promise<Issue[]> {
  const named = condition ? listsIn(condition, path) : []
  if (named.length === 0) return []
  const known = new Set(await store.addressLists.holdNames(listNames(condition), workspace))
  return named
    .filter(({ list }) => !known.has(list))
    .map(({ list, path }) => ({ path, message: `the workspace "${workspace}" has no address list "${list}"` }))
}

/** The same for the stored conditions of a trigger, in the transaction that writes them. */
export async function requireLists(store: Store, workspace: string, conditions: unknown): Promise<void> {
  const read = Conditions.nullish().safeParse(conditions)
  const issues = await checkLists(store, workspace, read.data, 'conditions')
  if (issues.length > 0) throw invalidPayload(issues)
}

/** Fills in the lists of the conditions of a saved entity, whose workspace owns them. */
export async function fillOwnLists<C extends Condition | null | undefined>(
  store: Store,
  workspaceId: string,
  condition: C,
): Promise<C | Condition> {
  return fillFrom(condition, await store.addressLists.findToMatch(listNames(condition)), workspaceId)
}

/** Fills in lists that the caller may read. The others are issues. */
export async function fillReadableLists(
  store: Store,
  account: Account,
  condition: Condition | null | undefined,
  path: string,
): Promise<{ condition: Condition | null | undefined; issues: Issue[] }> {
  const lists: ListToMatch[] = []
  for (const list of listNames(condition)) {
    const found = await store.addressLists.findForMember(list, account.id)
    if (found) lists.push(found)
  }
  const filled = fillFrom(condition, lists)
  const missing = filled ? listsIn(filled, path) : []
  const issues = missing.map(({ list, path }) => ({
    path,
    message: `there is no address list "${list}" that you may read`,
  }))
  return { condition: filled, issues }
}

function fillFrom<C extends Condition | null | undefined>(
  condition: C,
  lists: readonly ListToMatch[],
  workspaceId?: string,
): C | Condition {
  if (!condition || lists.length === 0) return condition
  const usable = lists.filter((list) => workspaceId === undefined || list.workspace_id === workspaceId)
  const byName = new Map(usable.map(({ fullname, addresses }) => [fullname, addresses]))
  return fillLists(condition, (list) => byName.get(list))
}
