import * as z from 'zod'
import { Key, Period } from './amounts.ts'
import { keyInput, lasting, type PolicyRecord, perKey } from './record.ts'

/** Keeps the alerts of a key at least `per` apart. */
export const throttle = {
  type: 'throttle',
  schema: z.object({
    type: z.literal('throttle'),
    key: Key,
    per: Period.describe('At most one alert in this time, such as `10m`.'),
  }),
  title: 'Rate limit',
  about: 'At most one message per period. Further matches are dropped.',
  words: (fields) => `at most once in ${lasting(fields.per)}${perKey(fields)}`,
  form: [
    {
      name: 'per',
      as: 'text',
      label: 'Period',
      description: 'A duration, such as 30s, 5m, 1h30m or 1d.',
      placeholder: '5m',
      suggestion: '5m',
    },
    keyInput,
  ],
} as const satisfies PolicyRecord
