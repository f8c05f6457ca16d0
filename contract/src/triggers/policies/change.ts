import * as z from 'zod'
import { ChangeBy, Key, ValuePath, Within } from './amounts.ts'
import { isGiven, keyInput, lasting, type PolicyRecord, perKey, said, valueInput, withinInput } from './record.ts'

const verbs: Readonly<Record<string, string>> = { up: 'rises', down: 'falls' }

/**
 * Makes an alert of each value that differs by `by` from the lowest or highest one within `within`, or from the previous
 * one. The value that fired is the new start.
 */
export const change = {
  type: 'change',
  schema: z.object({
    type: z.literal('change'),
    value: ValuePath,
    by: ChangeBy.describe(
      'How much the value must change: a number, a percentage such as `5%`, or an amount in human units.',
    ),
    direction: z.enum(['any', 'up', 'down']).optional().describe('Only increases, only decreases, or both.'),
    within: Within.optional(),
    key: Key,
  }),
  title: 'Change',
  about: 'A message each time that a value changes by a number or a percentage.',
  words(fields) {
    const since = isGiven(fields.within) ? ` within ${lasting(fields.within)}` : ' from one match to the next'
    const verb = verbs[said(fields.direction)] ?? 'changes'
    return `when ${said(fields.value)} ${verb} by at least ${said(fields.by)}${since}${perKey(fields)}`
  },
  form: [
    valueInput,
    {
      name: 'by',
      as: 'amount',
      label: 'By',
      description: 'A number, such as 5, or a percentage, such as 10%.',
      placeholder: '10%',
      suggestion: '10%',
    },
    {
      name: 'direction',
      as: 'choice',
      label: 'Direction',
      options: [
        { value: 'any', label: 'Up or down' },
        { value: 'up', label: 'Up' },
        { value: 'down', label: 'Down' },
      ],
    },
    withinInput,
    keyInput,
  ],
  hasStates: true,
} as const satisfies PolicyRecord
