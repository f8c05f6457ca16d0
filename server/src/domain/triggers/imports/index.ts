/** Imports: from an address, an ABI or a project's contracts to drafts of triggers. */
export * from './evm.ts'
export { inspectAddress } from './evm-inspect.ts'
export * from './solana.ts'
export * from './substrate.ts'
