import type { FieldSchema } from '@tocsin/contract'

export const ss58Address = { type: 'address', addressType: 'ss58' } satisfies FieldSchema
