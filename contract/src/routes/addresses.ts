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
    auth: 'account',
    scopes: ['write'],
    body: AddressNames,
    reply: z.array(AddressName),
  },
} as const satisfies Record<string, Route>
