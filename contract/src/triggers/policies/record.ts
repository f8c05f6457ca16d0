import type * as z from 'zod'
import { groupDigits } from '../../base/group-digits.ts'
import { durationWords, periodWords } from '../durations.ts'
import { itemToken, unitOfBound } from './amounts.ts'

/** The fields of a policy as the API has them. A form may have left some empty. */
export type PolicyFields = Readonly<Record<string, unknown>>

/** What a policy says of itself: its schema, its words and its form. The console, the documents and the server read it. */
export type PolicyRecord = {
  type: string
  schema: z.ZodObject
  title: string
  /** One sentence for a reader who chooses a policy. */
  about: string
  /** When it sends: “at most once in 5 minutes per from”. */
  words(fields: PolicyFields): string
  form: readonly PolicyFormPart[]
  /** Set if it is about the number of events, so that the clause of the trigger says it: “When no transfer happens for 1 day”. */
  ofEvents?: EventWords
  /** It has a state for each key, and its outputs are evaluated in the order of their items. */
  hasStates?: boolean
  /** It also gets the outputs that do not meet the conditions of its subscription. */
  needsUnmet?: boolean
  /** Its time counts from the moment a subscription is saved or resumed. */
  beginsAtSave?: boolean
}

export type EventWords = {
  /** `transfer` → “no transfer”; “a transfer” if absent. */
  subject?(noun: string): string
  /** After the events: “ for 1 day per to”. */
  clause(fields: PolicyFields): string
  /** When it is over: “and when one comes again”. */
  end: string
}

/** An input of a form. `placeholder` is an example. */
export type PolicyInput = { name: string; label: string; description?: string; placeholder?: string } & (
  | {
      as: 'text'
      /** What a new policy has. */
      suggestion?: string
    }
  /** A number, or an amount in human units. */
  | { as: 'amount'; suggestion?: string }
  | { as: 'number'; min: number; max: number; suggestion?: string }
  /** The first option is what the policy means without the field. */
  | { as: 'choice'; options: readonly { value: string; label: string }[] }
)

/** The policy has the fields of one of the options; `name` is no field of the policy. */
export type PolicyAlternative = {
  as: 'alternative'
  name: string
  label: string
  options: readonly { value: string; label: string; fields: readonly PolicyInput[] }[]
}
export type PolicyFormPart = PolicyInput | PolicyAlternative

/** A field that is not filled in yet is shown as “…”. */
export function said(value: unknown): string {
  if (typeof value === 'object' && value !== null) return amountWords(value)
  return isGiven(value) ? groupDigits(String(value)) : '…'
}

/** `{amount: "1000", decimals: 6}` → “1,000 (6 decimals)”. */
function amountWords(amount: object): string {
  const text = said(Reflect.get(amount, 'amount'))
  const unit = unitOfBound(amount)
  if (!unit) return text
  if ('decimals' in unit) return `${text} (${unit.decimals} decimals)`
  return unit.token === itemToken ? `${text} tokens` : `${text} of ${unit.token}`
}

export function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== ''
}

/** `1h` → “1 hour” */
export function lasting(value: unknown): string {
  return durationWords(said(value))
}

/** For a policy that counts each key alone. */
export function perKey({ key }: PolicyFields): string {
  return isGiven(key) ? ` per ${key}` : ''
}

/** How often a lasting alert is sent again. */
export function repeatWords({ repeat }: PolicyFields): string {
  return isGiven(repeat) ? `, again every ${periodWords(said(repeat))} while it lasts` : ''
}

export const keyInput = {
  name: 'key',
  as: 'text',
  label: 'Group by',
  description:
    'A field of the output. The policy applies to each value separately. Leave empty for all matches together.',
  placeholder: 'owner',
} as const satisfies PolicyInput

export const valueInput = {
  name: 'value',
  as: 'text',
  label: 'Value',
  description: 'A field of the output that holds a number, such as balance or price.value.',
  placeholder: 'balance',
} as const satisfies PolicyInput

export const repeatInput = {
  name: 'repeat',
  as: 'text',
  label: 'Repeat every',
  description: 'Sends the same alert again while it lasts, such as 1h. Leave empty to send it once.',
  placeholder: '1h',
} as const satisfies PolicyInput

export const withinInput = {
  name: 'within',
  as: 'text',
  label: 'Within',
  description: 'A duration, such as 10m or 3h.',
  placeholder: '10m',
  suggestion: '10m',
} as const satisfies PolicyInput

export const forInput = {
  name: 'for',
  as: 'text',
  label: 'Minimum duration',
  description: 'How long it must last, such as 5m. Leave empty to send immediately.',
  placeholder: '10m',
} as const satisfies PolicyInput
