import * as z from 'zod'
import { AddressListQuery, AddressListSave, AddressListView } from '../address-lists.ts'
import { OperationResult } from '../base/common.ts'
import type { Route } from './route.ts'

export const addressListRoutes = {
  listAddressLists: {
    method: 'GET',
    path: '/api/address-lists',
    noun: 'address-lists',
    summary: 'Address lists of the account’s workspaces; a page ends early if its lists have many addresses',
    auth: 'account',
    scopes: ['read'],
    query: AddressListQuery,
    reply: z.array(AddressListView),
    list: true,
  },
  getAddressList: {
    method: 'GET',
    path: '/api/address-lists/:fullname',
    noun: 'address-lists',
    summary: 'One address list',
    auth: 'account',
    scopes: ['read'],
    reply: AddressListView,
  },
  saveAddressList: {
    method: 'PUT',
    path: '/api/address-lists/:fullname',
    noun: 'address-lists',
    summary: 'Create or update an address list; conditions that name it follow the change',
    auth: 'account',
    scopes: ['publish'],
    body: AddressListSave,
    reply: AddressListView,
  },
  deleteAddressList: {
    method: 'DELETE',
    path: '/api/address-lists/:fullname',
    noun: 'address-lists',
    summary: 'Delete an address list that no condition names',
    auth: 'account',
    scopes: ['publish'],
    reply: OperationResult,
  },
} as const satisfies Record<string, Route>
