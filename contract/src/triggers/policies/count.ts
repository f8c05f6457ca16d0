import * as z from 'zod'
import { Key, Repeat, Within } from './amounts.ts'
import { keyInput, lasting, type PolicyRecord, perKey, repeatInput, repeatWords, said, withinInput } from './record.ts'

/** Fires when `count` outputs lie within `within`, and resolves when none came for `within`. */
export const count = {
  type: 'count',
  schema: z.object({
    type: z.literal('count'),
    count: z.number().int().min(1).max(1000),
    within: Within,
    key: Key,
    repeat: Repeat,
  }),
  title: 'Too many',
  about: 'A message when there are many matches in a time, and one when they end.',
  words: (fields) =>
    `when there are ${said(fields.count)} matches within ${lasting(fields.within)}${perKey(fields)}, and when they end${repeatWords(fields)}`,
  ofEvents: {
    clause: (fields) => ` ${said(fields.count)} times within ${lasting(fields.within)}${perKey(fields)}`,
    end: 'and when they end',
  },
  form: [
    {
      name: 'count',
      as: 'number',
      label: 'Number of matches',
      description: '1 to 1,000.',
      min: 1,
      max: 1000,
      suggestion: '5',
    },
    withinInput,
    repeatInput,
    keyInput,
  ],
  hasStates: true,
} as const satisfies PolicyRecord
