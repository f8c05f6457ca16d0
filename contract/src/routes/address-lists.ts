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
    description:
      'Lists the address lists of the workspaces that the account is a member of, ordered by fullname. A page ends early if its lists have many addresses; `Link` leads to the next one.',
    refusals: ['not_found'],
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
    hasTag: true,
    description: 'Answers one address list with its addresses. Every member of the workspace may read it.',
    auth: 'account',
    scopes: ['read'],
    reply: AddressListView,
  },
  saveAddressList: {
    method: 'PUT',
    path: '/api/address-lists/:fullname',
    noun: 'address-lists',
    summary: 'Create or update an address list; conditions that name it follow the change',
    hasTag: true,
    description:
      'Creates the list or replaces its addresses, 10,000 at most. Conditions that name the list follow the change within a second. Needs the role developer.',
    refusals: ['fullname_mismatch', 'fullname_invalid', 'immutable_field', 'limit_reached'],
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
    description:
      'Deletes a list that no trigger, template or subscription names in its conditions. `details` of the refusal says who does. Needs the role developer.',
    refusals: ['in_use'],
    auth: 'account',
    scopes: ['publish'],
    reply: OperationResult,
  },
} as const satisfies Record<string, Route>
