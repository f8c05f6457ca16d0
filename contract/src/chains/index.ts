/** The chains that the contract knows: each file has the trigger specs and the description of one. */
import type { ChainDescription } from './chain.ts'
import { evmDescription, evmSpecs } from './evm.ts'
import { solanaDescription, solanaSpecs } from './solana.ts'
import { substrateDescription, substrateSpecs } from './substrate.ts'

export * from './address-form.ts'
export * from './chain.ts'
export * from './evm.ts'
export * from './solana.ts'
export * from './substrate.ts'

export const chainSpecs = [...evmSpecs, ...substrateSpecs, ...solanaSpecs] as const

export const chainDescriptions: readonly ChainDescription[] = [evmDescription, substrateDescription, solanaDescription]
