/** The address book: an account's own names for addresses. */
export * from './delete.ts'
export * from './list.ts'
export * from './save.ts'
