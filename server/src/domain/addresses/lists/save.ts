import { type AddressListSave, type Issue, issuesMax } from '@tocsin/contract'
import { requireLevel } from '../../access.ts'
import { requireMatch, Tagged, tagOf } from '../../answers.ts'
import { changedPaths, recordChange } from '../../audit.ts'
import type { Handler } from '../../handler.ts'
import { requireOwnedName, requireSameName } from '../../names.ts'
import { requireStoredRoom } from '../../quotas.ts'
import { invalidPayload, notFound } from '../../refusal.ts'
import { checkAddress } from '../formats/index.ts'
import { addressListView } from './views.ts'

export const saveAddressList: Handler<'saveAddressList'> = async (context) => {
  const { account, params, body, preconditions, now, settings } = context
  requireSameName(params.fullname, body.fullname)
  const name = body.fullname.slice(body.workspace.length + 1)
  requireOwnedName({ ...body, name })
  await requireLevel(context.store, account, body.workspace, 'developer')
  const fields = { type: body.type, addresses: requireAddresses(body), meta: body.meta }
  return context.store.tx(async (store) => {
    const { id: workspaceId } = await requireLevel(store, account, body.workspace, 'developer')
    // The lock makes two first saves follow each other, and keeps the workspace from being deleted in between.
    if (!(await store.workspaces.lock(workspaceId))) throw notFound()
    const current = await store.addressLists.lock(body.fullname)
    requireMatch(preconditions, current)
    if (current) await store.addressLists.update(current.id, fields, now)
    else await store.addressLists.add({ ...fields, workspaceId, name, fullname: body.fullname }, now)
    await requireStoredRoom(store, settings, workspaceId)
    const saved = await store.addressLists.lock(body.fullname)
    if (!saved) throw notFound()
    const before = current && { type: current.type, addresses: current.addresses, meta: current.meta }
    const { fullname } = body
    const paths = changedPaths(before, fields)
    await recordChange(store, context, { action: 'address-list.save', workspaceId, fullname, paths })
    return new Tagged(addressListView(saved), tagOf(saved))
  })
}

/** Addresses are kept as entered. A second spelling of an address adds nothing and is left out. */
function requireAddresses({ type, addresses }: AddressListSave): string[] {
  const byNormal = new Map<string, string>()
  const issues: Issue[] = []
  for (const [index, address] of addresses.entries()) {
    const checked = checkAddress(type, address)
    if (!checked.ok) issues.push({ path: `addresses.${index}`, message: checked.message })
    else if (!byNormal.has(checked.normal)) byNormal.set(checked.normal, checked.address)
    if (issues.length === issuesMax) break
  }
  if (issues.length > 0) throw invalidPayload(issues)
  return [...byNormal.values()]
}
