import type { Body } from '../../../../data/api.ts'
import { ops } from '../../../../forms/condition-ops.ts'

/** One part of the trigger's conditions, as a preview or a test saw it. */
export type ConditionPart = NonNullable<Body<'previewTrigger'>['debug']['conditions']>[number]

const shownMax = 120

/** `is more than 1000`. A part inside `not` must not hold. */
export function describeWanted({ path, op, wanted, held }: ConditionPart): string {
  const label = op === 'contains' ? 'has an element with' : (ops.find(({ value }) => value === op)?.label ?? op)
  const words = held === null && wanted === null ? `${label} an amount of a token` : `${label} ${showValue(wanted)}`
  return isNegated(path) ? `${words} (must not hold)` : words
}

export function describeValue({ value, held, issue }: ConditionPart): string {
  if (issue) return held === null ? sentence(issue) : `${sentence(issue)} This part can probably never hold.`
  const seen = value === null ? 'There is no value.' : `The value is ${showValue(value)}.`
  return held === null ? `${seen} Run a test to read the decimals of the token.` : seen
}

function sentence(issue: string): string {
  return `${issue.slice(0, 1).toUpperCase()}${issue.slice(1)}.`
}

/** Two `not` around a part cancel each other. */
export function isNegated(path: string): boolean {
  return path.split('.').filter((step) => step === 'not').length % 2 === 1
}

function showValue(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > shownMax ? `${text.slice(0, shownMax)}…` : text
}
