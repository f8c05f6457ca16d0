import { showNumber, showTokens, showUsd } from '../base/show-number.ts'
import { argument, type Call, readAmount, wholeArgument } from './helper-call.ts'
import { textOf } from './text-of.ts'

/** The helpers that show amounts. A value that is not a number stays unchanged. */
export const amountHelpers: Record<string, (call: Call) => unknown> = {
  token: tokenAmount,
  number: groupedNumber,
  usd: (call) => {
    const decimal = readAmount(call)
    return decimal ? showUsd(decimal) : call.params[0]
  },
}

/** A token that is not known shows the amount as it is on the chain. */
function tokenAmount(call: Call): unknown {
  const [amount] = call.params
  const isNamed = Object.hasOwn(call.hash, 'token') || call.params.length > 1
  const name = textOf(argument(call, 'token', 1), call.budget)
  if (isNamed && name === '') return amount
  const token = call.network.tokenOf(isNamed ? name : undefined)
  return token && readAmount(call, token.decimals) ? showTokens(amount, token, digitsOf(call, 2)) : amount
}

function groupedNumber(call: Call): unknown {
  const [value] = call.params
  const decimal = readAmount(call)
  const digits = digitsOf(call, 1)
  const isFixed = argument(call, 'fixed', 2) === true
  if (!decimal) return value
  return showNumber(decimal, { ...(digits !== undefined && { digits }), fixed: isFixed ? Math.max(digits ?? 0, 0) : 0 })
}

function digitsOf(call: Call, at: number): number | undefined {
  return wholeArgument(call, 'digits', at, [-80, 80])
}
