import { AlertPolicy, durationWords, showAmount } from '@tocsin/contract'
import { readDecimal, showDecimal } from '../base/decimals.ts'
import { showTime } from '../base/show-time.ts'

/**
 * What a policy decided by, in sentences. The fields that it has make the sentences, not its type, so a policy that this file
 * does not know is told too. Empty if there is nothing to say.
 */
export function showDecision(given: unknown, unit: string): string {
  const read = AlertPolicy.safeParse(given)
  if (!read.success) return ''
  const policy = read.data
  const first = mainSentence(policy, (amount) => showValue(amount, unit))
  return [first, sinceSentence(policy), suppressedSentence(policy)].filter(Boolean).join(' ')
}

type Show = (amount: string | number) => string

function mainSentence(policy: AlertPolicy, show: Show): string {
  const { type, value, previous, count, within, for: held, lastAt } = policy
  const window = within === undefined ? '' : ` within ${durationWords(within)}`
  if (lastAt !== undefined) return `The last one came at ${showTime(lastAt)}.`
  if (previous !== undefined && value !== undefined)
    return `It ${verbOf(policy)} from ${show(previous)} to ${show(value)}${percentOf(policy)}${window}${boundOf(policy, show)}.`
  if (value !== undefined) {
    const lasts = held === undefined ? '' : `, for ${durationWords(held)}`
    return `The ${type === 'threshold' ? 'value' : type} is ${show(value)}${window}${boundOf(policy, show)}${lasts}.`
  }
  if (count !== undefined)
    return `${showValue(count, '')} came${window}${boundOf(policy, (bound) => showValue(bound, ''))}.`
  return held === undefined ? '' : `It held for ${durationWords(held)}.`
}

function verbOf({ changePercent = 0, previous, value }: AlertPolicy): string {
  const change = changePercent === 0 ? Number(value) - Number(previous) : changePercent
  if (change > 0) return 'rose'
  return change < 0 ? 'fell' : 'changed'
}

function percentOf({ changePercent }: AlertPolicy): string {
  return changePercent === undefined ? '' : `, by ${showAmount(String(Math.abs(changePercent)), 2)} %`
}

function boundOf({ bound }: AlertPolicy, show: Show): string {
  return bound === undefined ? '' : `, the bound ${show(bound)}`
}

function sinceSentence({ type, since, lastAt }: AlertPolicy): string {
  return type === 'throttle' || lastAt !== undefined ? '' : `Since ${showTime(since)}.`
}

function suppressedSentence({ suppressed, since }: AlertPolicy): string {
  if (!suppressed) return ''
  return `${showValue(suppressed, '')} more came since ${showTime(since)} and ${suppressed === 1 ? 'was' : 'were'} not sent.`
}

/** A percentage has no unit. */
function showValue(amount: string | number, unit: string): string {
  const decimal = readDecimal(amount)
  if (!decimal) return String(amount)
  return [showAmount(showDecimal(decimal)), unit].filter(Boolean).join(' ')
}
