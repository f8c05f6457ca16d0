/** Accounts: sign-up, sign-in, sign-out and tokens. */
export * from './bootstrap.ts'
export * from './identify.ts'
export type { Identity } from './identity.ts'
export { passwordCost } from './passwords.ts'
export * from './sign-in.ts'
export * from './sign-up.ts'
export * from './tokens.ts'
