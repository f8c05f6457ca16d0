import * as z from 'zod'
import type { PolicyRecord } from './record.ts'

/** Makes an alert of every output. No policy means the same. */
export const filter = {
  type: 'filter',
  schema: z.object({ type: z.literal('filter') }),
  title: 'Every time',
  about: 'One message for each match.',
  words: () => 'every time',
  form: [],
} as const satisfies PolicyRecord
