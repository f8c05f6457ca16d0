import * as z from 'zod'
import { changeWhere, Key, Period, Repeat, requireOneSide, ValuePath } from './amounts.ts'
import {
  isGiven,
  keyInput,
  lasting,
  type PolicyFields,
  type PolicyInput,
  type PolicyRecord,
  perKey,
  repeatInput,
  repeatWords,
  said,
  valueInput,
} from './record.ts'

const Rise = changeWhere(
  (sign) => sign >= 0,
  'must be a number that is not negative, a percentage such as "10%", or {amount} with decimals or a token',
)
const Fall = changeWhere(
  (sign) => sign < 0,
  'must be a number below 0, a percentage such as "-10%", or {amount} with decimals or a token',
)

const schema = z
  .object({
    type: z.literal('rate'),
    value: ValuePath,
    per: Period.describe('Compares the value with the oldest one within this time, such as `1h`.'),
    above: Rise.optional().describe('Fires when the value rose by more than this: a number, or a percentage.'),
    below: Fall.optional().describe('Fires when the value fell by more than this: a negative number or percentage.'),
    key: Key,
    repeat: Repeat,
  })
  .superRefine(requireOneSide)

const rise = {
  name: 'above',
  as: 'amount',
  label: 'By more than',
  description: 'A number, such as 5, or a percentage, such as 10%.',
  placeholder: '10%',
} as const satisfies PolicyInput
const fall = {
  name: 'below',
  as: 'amount',
  label: 'Change below',
  description: 'A negative number, such as -5, or a negative percentage, such as -10%.',
  placeholder: '-10%',
} as const satisfies PolicyInput

/** Fires when the value changed within `per` by more than the bound, and resolves when the change is back inside. */
export const rate = {
  type: 'rate',
  schema,
  title: 'Rate of change',
  about: 'A message when a value rises or falls too much within a time, and one when it no longer does.',
  words: (fields) => `${moveWords(fields)}, and when it no longer does${repeatWords(fields)}`,
  form: [
    valueInput,
    {
      as: 'alternative',
      name: 'way',
      label: 'Alert when the value',
      options: [
        { value: 'above', label: 'Rises', fields: [rise] },
        { value: 'below', label: 'Falls', fields: [fall] },
      ],
    },
    {
      name: 'per',
      as: 'text',
      label: 'Period',
      description: 'The value is compared with the oldest one within this time, such as 1h.',
      placeholder: '1h',
    },
    repeatInput,
    keyInput,
  ],
  hasStates: true,
} as const satisfies PolicyRecord

/** “when price falls by more than 10% within 1 hour per pool” */
function moveWords(fields: PolicyFields): string {
  const [verb, bound] = isGiven(fields.below)
    ? ['falls', said(fields.below).replace(/^-/, '')]
    : ['rises', said(fields.above)]
  return `when ${said(fields.value)} ${verb} by more than ${bound} within ${lasting(fields.per)}${perKey(fields)}`
}
