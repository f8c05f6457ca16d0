import type { FieldSchema } from '@tocsin/contract'

/** Schemas that several starting points use. */
export const evmAddress: FieldSchema = { type: 'address', addressType: 'evm' }
export const ss58Address: FieldSchema = { type: 'address', addressType: 'ss58' }
export const solanaAddress: FieldSchema = { type: 'address', addressType: 'solana' }

export function balance(decimals: number): FieldSchema {
  return { type: 'balance', decimals }
}

/** A filter field that the engine reads from the source item, before any provider or script runs. */
export function at(sourcePath: string, type: FieldSchema, description: string): FieldSchema {
  return { type, description, sourcePath }
}

/** The decimals of the watched contract's tokens; 18 unless a subscription sets another value. */
export const decimalsInput: FieldSchema = {
  type: 'integer',
  optional: true,
  description: 'Decimals of the token (18 if not given)',
}
