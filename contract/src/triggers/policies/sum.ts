import * as z from 'zod'
import { Bound, Key, Repeat, ValuePath, Within } from './amounts.ts'
import {
  keyInput,
  lasting,
  type PolicyRecord,
  perKey,
  repeatInput,
  repeatWords,
  said,
  valueInput,
  withinInput,
} from './record.ts'

/** Fires when the sum of the values within `within` is above the bound, and resolves when it no longer is. */
export const sum = {
  type: 'sum',
  schema: z.object({
    type: z.literal('sum'),
    value: ValuePath,
    within: Within,
    above: Bound.describe('Fires when the sum of the values is above this number.'),
    key: Key,
    repeat: Repeat,
  }),
  title: 'Sum',
  about: 'A message when the values of a time add up to more than a bound, and one when they no longer do.',
  words: (fields) =>
    `when the sum of ${said(fields.value)} within ${lasting(fields.within)}${perKey(fields)} is above ${said(fields.above)}, and when it no longer is${repeatWords(fields)}`,
  form: [
    valueInput,
    withinInput,
    {
      name: 'above',
      as: 'amount',
      label: 'Above',
      description: 'A number. A sum that equals it is not above it.',
      placeholder: '100000',
    },
    repeatInput,
    keyInput,
  ],
  hasStates: true,
} as const satisfies PolicyRecord
