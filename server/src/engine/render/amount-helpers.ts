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

/** Of a token that is not known, `decimals` counts; without it the amount is shown as it is on the chain, and says so. */
function tokenAmount(call: Call): unknown {
  const [amount] = call.params
  const isNamed = Object.hasOwn(call.hash, 'token') || call.params.length > 1
  const name = textOf(argument(call, 'token', 1), call.budget)
  const known = isNamed && name === '' ? undefined : call.network.tokenOf(isNamed ? name : undefined)
  const decimals = known ? known.decimals : wholeArgument(call, 'decimals', 3, [0, 255])
  if (!readAmount(call, decimals)) return amount
  if (decimals === undefined) return `${textOf(amount, call.budget)} (decimals unknown)`
  return showTokens(amount, { symbol: known?.symbol ?? null, decimals }, digitsOf(call, 2))
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
