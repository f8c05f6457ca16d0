/** Addresses: the address books of accounts and workspaces, and the address lists of workspaces. */
export { createAddress, deleteAddress, listAddresses, saveAddress } from './address-book.ts'
export { deleteAddressList } from './lists/delete.ts'
export { getAddressList, listAddressLists } from './lists/read.ts'
export { saveAddressList } from './lists/save.ts'
export { findAddressNames } from './names.ts'
export {
  createWorkspaceAddress,
  deleteWorkspaceAddress,
  listWorkspaceAddresses,
  saveWorkspaceAddress,
} from './shared-book.ts'
