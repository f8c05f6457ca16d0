import type { addressListRoutes } from '../../routes/address-lists.ts'
import type { addressRoutes } from '../../routes/addresses.ts'
import type { TextsOf } from './operation-text.ts'

export const addressTexts: TextsOf<typeof addressRoutes> = {
  listAddresses: {
    description: 'Lists the address book of the account, ordered by alias. Each account has a book of its own.',
  },
  createAddress: {
    hasTag: true,
    description:
      'Adds an address with an alias, which messages show instead of the address. The address must be valid for its type and must not be in the book.',
    refusals: ['duplicate_address', 'duplicate_alias'],
  },
  saveAddress: {
    hasTag: true,
    description: 'Replaces the type, the address and the alias of an entry of the account’s own address book.',
    refusals: ['duplicate_address', 'duplicate_alias'],
  },
  deleteAddress: {
    description: 'Removes an entry from the account’s own address book. Messages then show the address itself.',
  },
  findAddressNames: {
    description:
      'Answers a name for each address that has one: from the address book, from contracts that the source knows, and from ENS where the chain has it.',
    refusals: ['not_found', 'upstream_failed'],
  },
}

export const addressListTexts: TextsOf<typeof addressListRoutes> = {
  listAddressLists: {
    description:
      'Lists the address lists of the workspaces that the account is a member of, ordered by fullname. A page ends early if its lists have many addresses; `Link` leads to the next one.',
    refusals: ['not_found'],
  },
  getAddressList: {
    hasTag: true,
    description: 'Answers one address list with its addresses. Every member of the workspace may read it.',
  },
  saveAddressList: {
    hasTag: true,
    description:
      'Creates the list or replaces its addresses, 10,000 at most. Conditions that name the list follow the change within a second. Needs the role developer.',
    refusals: ['fullname_mismatch', 'fullname_invalid', 'immutable_field', 'limit_reached'],
  },
  deleteAddressList: {
    description:
      'Deletes a list that no trigger, template or subscription names in its conditions. `details` of the refusal says who does. Needs the role developer.',
    refusals: ['in_use'],
  },
}
