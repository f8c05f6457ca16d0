import type { AddressSave } from '@tocsin/contract'
import type { z } from 'zod'
import type { AddressFields, AddressRow, Taken } from '../../store/identity/addresses.ts'
import { Page, requireMatch, Tagged, tagOf } from '../answers.ts'
import type { Handler } from '../handler.ts'
import { invalidPayload, notFound, Refusal } from '../refusal.ts'
import { checkAddress } from './formats/index.ts'

export const listAddresses: Handler<'listAddresses'> = async ({ account, query, store }) => {
  const { rows, next } = await store.addresses.list(
    { accountId: account.id },
    { limit: query.limit, after: query.cursor },
  )
  return new Page(rows.map(addressView), next)
}

export const createAddress: Handler<'createAddress'> = async ({ account, body, store, now }) => {
  const fields = requireAddress(body)
  return store.tx(async (store) => savedView(await store.addresses.add({ accountId: account.id }, fields, null, now)))
}

export const saveAddress: Handler<'saveAddress'> = async ({ account, params, body, preconditions, store, now }) => {
  const fields = requireAddress(body)
  return store.tx(async (store) => {
    const owner = { accountId: account.id }
    const current = await store.addresses.lock(owner, params.id)
    if (!current) throw notFound('There is no such address in your book.')
    requireMatch(preconditions, current)
    return savedView(await store.addresses.update(owner, current.id, fields, null, now))
  })
}

export const deleteAddress: Handler<'deleteAddress'> = ({ account, params, preconditions, store }) =>
  store.tx(async (store) => {
    const owner = { accountId: account.id }
    const current = await store.addresses.lock(owner, params.id)
    if (!current) throw notFound('There is no such address in your book.')
    requireMatch(preconditions, current)
    await store.addresses.remove(owner, current.id)
    return undefined
  })

/** The address is stored as entered, without spaces around it. Its normal form makes it unique. */
export function requireAddress(body: z.output<typeof AddressSave>): AddressFields {
  const checked = checkAddress(body.type, body.address)
  if (!checked.ok) throw invalidPayload([{ path: 'address', message: checked.message }])
  return { type: body.type, address: checked.address, normal: checked.normal, alias: body.alias }
}

/** Thrown outside the transaction, so that the failed statement is rolled back. */
export function requireSaved(saved: AddressRow | Taken): AddressRow {
  if ('taken' in saved) throw new Refusal(saved.taken === 'alias' ? 'duplicate_alias' : 'duplicate_address')
  return saved
}

function savedView(written: AddressRow | Taken) {
  const saved = requireSaved(written)
  return new Tagged(addressView(saved), tagOf(saved))
}

export function addressView(row: AddressRow) {
  return {
    id: row.id,
    type: row.type,
    address: row.address,
    alias: row.alias,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}
