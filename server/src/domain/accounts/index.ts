/** Accounts: signing up, in and out, and the tokens that stand for them. */
export * from './bootstrap.ts'
export * from './identify.ts'
export * from './me.ts'
export * from './sign-in.ts'
export * from './sign-up.ts'
export * from './tokens.ts'
