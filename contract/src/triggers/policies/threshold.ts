import * as z from 'zod'
import {
  Bound,
  boundText,
  compareDecimalTexts,
  For,
  isDecimalText,
  isSameUnit,
  Key,
  Repeat,
  requireOneSide,
  ValuePath,
} from './amounts.ts'
import {
  forInput,
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

const schema = z
  .object({
    type: z.literal('threshold'),
    value: ValuePath,
    above: Bound.optional().describe('Fires when the value is above this number.'),
    below: Bound.optional().describe('Fires when the value is below this number.'),
    until: Bound.optional().describe('Resolves when the value is back at this number.'),
    for: For,
    key: Key,
    repeat: Repeat,
  })
  .superRefine((policy, context) => {
    requireOneSide(policy, context)
    const { above, below, until } = policy
    if (until !== undefined && !isSameUnit(until, above ?? below)) {
      context.addIssue({ code: 'custom', path: ['until'], message: 'must be in the same unit as the bound' })
      return
    }
    if ((above === undefined) !== (below === undefined) && isOnWrongSide(until, above, below))
      context.addIssue({
        code: 'custom',
        path: ['until'],
        message: above === undefined ? 'must not be less than below' : 'must not be greater than above',
      })
  })

type BoundValue = Bound | undefined

/** The side of an input is known only when a subscription gives it. */
function isOnWrongSide(until: BoundValue, above: BoundValue, below: BoundValue): boolean {
  const bound = above ?? below
  if (until === undefined || bound === undefined) return false
  const [end, start] = [boundText(until), boundText(bound)]
  if (![end, start].every(isDecimalText)) return false
  const order = compareDecimalTexts(end, start)
  return above === undefined ? order < 0 : order > 0
}

const bound = {
  as: 'amount',
  label: 'Bound',
  description: 'A number. A value that equals it is not beyond it.',
} as const
const above = { name: 'above', ...bound, placeholder: '100' } as const satisfies PolicyInput
const below = { name: 'below', ...bound, placeholder: '10' } as const satisfies PolicyInput

/** Fires when the value has been beyond the bound for `for`, and resolves when it is back behind `until`. */
export const threshold = {
  type: 'threshold',
  schema,
  title: 'Threshold',
  about: 'A message when a value is over or under a bound, and one when it recovers.',
  words: (fields) => `${stateWords(fields)}${repeatWords(fields)}`,
  form: [
    valueInput,
    {
      as: 'alternative',
      name: 'side',
      label: 'Alert when the value is',
      options: [
        { value: 'above', label: 'Above the bound', fields: [above] },
        { value: 'below', label: 'Below the bound', fields: [below] },
      ],
    },
    {
      name: 'until',
      as: 'amount',
      label: 'Recovers at',
      description: 'Leave empty to recover at the bound itself.',
      placeholder: '12',
    },
    forInput,
    repeatInput,
    keyInput,
  ],
  hasStates: true,
} as const satisfies PolicyRecord

function stateWords(fields: PolicyFields): string {
  const [side, bound] = isGiven(fields.below) ? ['below', fields.below] : ['above', fields.above]
  const state = isGiven(fields.for)
    ? `stays ${side} ${said(bound)} for ${lasting(fields.for)}`
    : `is ${side} ${said(bound)}`
  const end = isGiven(fields.until) ? `it is back at ${said(fields.until)}` : 'it recovers'
  return `when ${said(fields.value)} ${state}${perKey(fields)}, and when ${end}`
}
