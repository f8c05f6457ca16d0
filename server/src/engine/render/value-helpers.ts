import { formatUnits, readDecimal, roundDecimal, showDecimal } from '../base/decimals.ts'
import { readOwn } from '../base/paths.ts'
import { sameKey } from '../conditions/index.ts'
import { showAddress, showAddresses } from './addresses.ts'
import { amountHelpers } from './amount-helpers.ts'
import { argument, type Call, subject, wholeNumber } from './helper-call.ts'
import { textOf } from './text-of.ts'
import { toYaml } from './yaml.ts'

type ValueHelper = (call: Call) => unknown

/** The value helpers of the contract. A test checks that both lists are equal. */
export const valueHelpers: Record<string, ValueHelper> = {
  lookup: ({ params: [holder, name], budget }) => readOwn(holder, textOf(name, budget)),
  round,
  format,
  substr,
  address: (call) => showAddress(subject(call), call.book),
  make: ({ params: [value], book, budget }) => showAddresses(value, book, budget),
  includes,
  lowercase: (call) => subject(call).toLowerCase(),
  uppercase: (call) => subject(call).toUpperCase(),
  titlecase: (call) => subject(call).replaceAll(/(?<![\p{L}\p{N}'’])\p{L}/gu, (letter) => letter.toUpperCase()),
  oneline: (call) => lines(subject(call)).join(' '),
  yaml: ({ params: [value], budget }) => toYaml(value, budget),
  explorer: ({ params: [value], network }) => network.linkTo(value),
  ...amountHelpers,
}

/** A value that is not a number stays unchanged. */
function round(call: Call): unknown {
  const decimal = readDecimal(call.params[0])
  const digits = wholeNumber(argument(call, 'digits', 1), -80, 80) ?? 0
  const isFixed = argument(call, 'fixed', 2) === true
  return decimal ? showDecimal(roundDecimal(decimal, digits), isFixed ? Math.max(digits, 0) : 0) : call.params[0]
}

function format(call: Call): unknown {
  const decimals = wholeNumber(argument(call, 'decimals', 1), 0, 255) ?? 0
  return formatUnits(call.params[0], decimals) ?? call.params[0]
}

function substr(call: Call): string {
  const characters = Array.from(subject(call))
  const start = wholeNumber(argument(call, 'start', 1)) ?? 0
  const from = start < 0 ? Math.max(characters.length + start, 0) : start
  const length = wholeNumber(argument(call, 'len', 2)) ?? characters.length
  return characters.slice(from, from + Math.max(length, 0)).join('')
}

/** A list includes an item by the equality of conditions; a text includes an exact part. */
function includes({ params: [holder, wanted], budget }: Call): boolean {
  if (!Array.isArray(holder)) return holder !== undefined && textOf(holder, budget).includes(textOf(wanted, budget))
  const key = sameKey(wanted)
  return key !== undefined && holder.some((item) => sameKey(item) === key)
}

function lines(text: string): string[] {
  return text
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
}
