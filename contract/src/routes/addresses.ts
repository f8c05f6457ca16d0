import * as z from 'zod'
import { AddressEntry, AddressName, AddressNames, AddressSave } from '../addresses.ts'
import { ListQuery } from '../base/common.ts'
import type { Route } from './route.ts'

export const addressRoutes = {
  listAddresses: {
    method: 'GET',
    path: '/api/addresses',
    noun: 'addresses',
    summary: 'The address book of the account',
    description: 'Lists the address book of the account, ordered by alias. Each account has a book of its own.',
    auth: 'account',
    scopes: ['read'],
    query: ListQuery,
    reply: z.array(AddressEntry),
    list: true,
  },
  createAddress: {
    method: 'POST',
    reachesNetwork: false,
    path: '/api/addresses',
    noun: 'addresses',
    summary: 'Add an address',
    hasTag: true,
    description:
      'Adds an address with an alias, which messages show instead of the address. The address must be valid for its type and must not be in the book.',
    refusals: ['duplicate_address', 'duplicate_alias'],
    auth: 'account',
    scopes: ['write'],
    body: AddressSave,
    reply: AddressEntry,
  },
  saveAddress: {
    method: 'PUT',
    path: '/api/addresses/:id',
    noun: 'addresses',
    summary: 'Change an address',
    hasTag: true,
    description: 'Replaces the type, the address and the alias of an entry of the account’s own address book.',
    refusals: ['duplicate_address', 'duplicate_alias'],
    auth: 'account',
    scopes: ['write'],
    body: AddressSave,
    reply: AddressEntry,
  },
  deleteAddress: {
    method: 'DELETE',
    path: '/api/addresses/:id',
    noun: 'addresses',
    summary: 'Remove an address',
    description: 'Removes an entry from the account’s own address book. Messages then show the address itself.',
    auth: 'account',
    scopes: ['write'],
    reply: 'empty',
  },
  findAddressNames: {
    method: 'POST',
    reachesNetwork: true,
    path: '/api/addresses/names',
    noun: 'addresses',
    summary: 'Names of addresses, from the address book, known contracts and ENS',
    description:
      'Answers a name for each address that has one: from the address book, from contracts that the source knows, and from ENS where the chain has it.',
    refusals: ['not_found', 'upstream_failed'],
    auth: 'account',
    scopes: ['write'],
    body: AddressNames,
    reply: z.array(AddressName),
  },
} as const satisfies Record<string, Route>
