import * as z from 'zod'
import { Key, Repeat, Within } from './amounts.ts'
import { keyInput, lasting, type PolicyRecord, perKey, repeatInput, repeatWords, withinInput } from './record.ts'

/** Fires when no output came for `within`, and resolves with the next one. */
export const absence = {
  type: 'absence',
  schema: z.object({ type: z.literal('absence'), within: Within, key: Key, repeat: Repeat }),
  title: 'Nothing happened',
  about: 'A message when there is no match for a time, and one with the next match.',
  words: (fields) =>
    `when there is no match for ${lasting(fields.within)}${perKey(fields)}, and when there is one again${repeatWords(fields)}`,
  ofEvents: {
    subject: (noun) => `no ${noun}`,
    clause: (fields) => ` for ${lasting(fields.within)}${perKey(fields)}`,
    end: 'and when one comes again',
  },
  form: [withinInput, repeatInput, keyInput],
  hasStates: true,
  beginsAtSave: true,
} as const satisfies PolicyRecord
