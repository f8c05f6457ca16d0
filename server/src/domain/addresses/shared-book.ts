import type { SharedAddressRow } from '../../store/identity/addresses.ts'
import { requireLevel, requireMember } from '../access.ts'
import { Page, requireMatch, Tagged, tagOf } from '../answers.ts'
import { changedPaths, recordChange } from '../audit.ts'
import type { Handler } from '../handler.ts'
import { notFound } from '../refusal.ts'
import { addressView, requireAddress, requireSaved } from './address-book.ts'

/** The address book of a workspace. Members read it, developers change it. */
export const listWorkspaceAddresses: Handler<'listWorkspaceAddresses'> = async ({ account, params, query, store }) => {
  const { id: workspaceId, fullname } = await requireMember(store, account, params.workspace)
  const { rows, next } = await store.addresses.list({ workspaceId }, { limit: query.limit, after: query.cursor })
  return new Page(
    rows.map((row) => sharedView(row, fullname)),
    next,
  )
}

export const createWorkspaceAddress: Handler<'createWorkspaceAddress'> = async (context) => {
  const { account, params, body, store, now } = context
  await requireLevel(store, account, params.workspace, 'developer')
  const fields = requireAddress(body)
  return store.tx(async (store) => {
    const { id: workspaceId, fullname } = await requireLevel(store, account, params.workspace, 'developer')
    const saved = requireSaved(await store.addresses.add({ workspaceId }, fields, account.id, now))
    const change = { action: 'address.save', workspaceId, fullname: fields.alias } as const
    await recordChange(store, context, { ...change, paths: changedPaths(undefined, body) })
    return new Tagged(sharedView({ ...saved, changed_by_name: account.name }, fullname), tagOf(saved))
  })
}

export const saveWorkspaceAddress: Handler<'saveWorkspaceAddress'> = async (context) => {
  const { account, params, body, preconditions, store, now } = context
  await requireLevel(store, account, params.workspace, 'developer')
  const fields = requireAddress(body)
  return store.tx(async (store) => {
    const { id: workspaceId, fullname } = await requireLevel(store, account, params.workspace, 'developer')
    const current = await store.addresses.lock({ workspaceId }, params.id)
    if (!current) throw noSuchAddress()
    requireMatch(preconditions, current)
    const saved = requireSaved(await store.addresses.update({ workspaceId }, current.id, fields, account.id, now))
    const { type, address, alias } = current
    const change = { action: 'address.save', workspaceId, fullname: fields.alias } as const
    await recordChange(store, context, { ...change, paths: changedPaths({ type, address, alias }, body) })
    return new Tagged(sharedView({ ...saved, changed_by_name: account.name }, fullname), tagOf(saved))
  })
}

export const deleteWorkspaceAddress: Handler<'deleteWorkspaceAddress'> = (context) =>
  context.store.tx(async (store) => {
    const { account, params, preconditions } = context
    const { id: workspaceId } = await requireLevel(store, account, params.workspace, 'developer')
    const current = await store.addresses.lock({ workspaceId }, params.id)
    if (!current) throw noSuchAddress()
    requireMatch(preconditions, current)
    await store.addresses.remove({ workspaceId }, current.id)
    await recordChange(store, context, { action: 'address.delete', workspaceId, fullname: current.alias })
    return undefined
  })

function noSuchAddress() {
  return notFound('There is no such address in the book of this workspace.')
}

function sharedView(row: SharedAddressRow, workspace: string) {
  const { changed_by: id, changed_by_name: name } = row
  return { ...addressView(row), workspace, ...(id !== null && name !== null && { changedBy: { id, name } }) }
}
