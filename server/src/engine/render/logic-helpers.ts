/** The helpers that compare and combine values, for `{{#if (…)}}` and severities. */
import { compareDecimals } from '../base/decimals.ts'
import { sameKey } from '../conditions/comparison.ts'
import { spendOnLetters } from './budget.ts'
import { type Call, isTruthy, readAmount } from './helper-call.ts'

export const logicHelpers: Record<string, (call: Call) => boolean> = {
  eq: ({ params: [a, b], budget }) => {
    for (const value of [a, b]) spendOnLetters(budget, typeof value === 'string' ? value : '')
    const key = sameKey(a)
    return key !== undefined && key === sameKey(b)
  },
  gt: (call) => orderOf(call) > 0,
  lt: (call) => orderOf(call) < 0,
  and: ({ params }) => params.every(isTruthy),
  or: ({ params }) => params.some(isTruthy),
  not: ({ params: [value] }) => !isTruthy(value),
}

/** 0 if a value is not a number: then neither is greater. */
function orderOf(call: Call): number {
  const [a, b] = call.params.map((value) => readAmount({ ...call, params: [value] }))
  return a && b ? compareDecimals(a, b) : 0
}
