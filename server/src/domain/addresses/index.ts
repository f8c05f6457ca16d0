/** The address book: an account's own names for addresses. */
export { createAddress, deleteAddress, listAddresses, saveAddress } from './address-book.ts'
