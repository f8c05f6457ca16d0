import type { FieldSchema } from '@tocsin/contract'

export const solanaAddress = { type: 'address', addressType: 'solana' } satisfies FieldSchema
