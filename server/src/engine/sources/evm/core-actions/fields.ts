import type { FieldSchema } from '@tocsin/contract'

export const evmAddress = { type: 'address', addressType: 'evm' } satisfies FieldSchema
