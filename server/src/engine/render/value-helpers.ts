import { roundDecimal, shift, showDecimal } from '../base/decimals.ts'
import { includesText } from '../base/find-text.ts'
import { readOwn } from '../base/paths.ts'
import { sameKey } from '../conditions/index.ts'
import { showAddress, showAddresses } from './addresses.ts'
import { amountHelpers } from './amount-helpers.ts'
import { spendOn, spendOnLetters } from './budget.ts'
import { argument, type Call, readAmount, subject, subjectLetters, wholeArgument } from './helper-call.ts'
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
  titlecase: (call) => subjectLetters(call).replaceAll(/(?<![\p{L}\p{N}'’])\p{L}/gu, (letter) => letter.toUpperCase()),
  oneline: (call) => lines(subjectLetters(call)).join(' '),
  yaml: ({ params: [value], budget }) => toYaml(value, budget),
  explorer: ({ params: [value], network, budget }) => {
    spendOnLetters(budget, typeof value === 'string' ? value : '')
    return network.linkTo(value)
  },
  ...amountHelpers,
}

/** A value that is not a number stays unchanged. */
function round(call: Call): unknown {
  const decimal = readAmount(call)
  const digits = wholeArgument(call, 'digits', 1, [-80, 80]) ?? 0
  const isFixed = argument(call, 'fixed', 2) === true
  return decimal ? showDecimal(roundDecimal(decimal, digits), isFixed ? Math.max(digits, 0) : 0) : call.params[0]
}

function format(call: Call): unknown {
  const decimals = wholeArgument(call, 'decimals', 1, [0, 255]) ?? 0
  const decimal = readAmount(call, decimals)
  return decimal ? showDecimal(shift(decimal, -decimals)) : call.params[0]
}

function substr(call: Call): string {
  const characters = Array.from(subjectLetters(call))
  const start = wholeArgument(call, 'start', 1) ?? 0
  const from = start < 0 ? Math.max(characters.length + start, 0) : start
  const length = wholeArgument(call, 'len', 2) ?? characters.length
  return characters.slice(from, from + Math.max(length, 0)).join('')
}

/** A list includes an item by the equality of conditions; a text includes an exact part. */
function includes(call: Call): boolean {
  const {
    params: [holder, wanted],
    budget,
  } = call
  if (!Array.isArray(holder)) return holder !== undefined && includesPart(call)
  spendOnLetters(budget, typeof wanted === 'string' ? wanted : '')
  const key = sameKey(wanted)
  if (key === undefined) return false
  return holder.some((item) => {
    spendOn(budget, item)
    return sameKey(item) === key
  })
}

function includesPart({ params: [holder, wanted], budget }: Call): boolean {
  const [text, part] = [textOf(holder, budget), textOf(wanted, budget)]
  spendOnLetters(budget, text)
  spendOnLetters(budget, part)
  return includesText(text, part)
}

function lines(text: string): string[] {
  return text
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
}
