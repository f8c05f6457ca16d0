import { compareDecimals, divideDecimals, roundDecimal, shift, showDecimal } from '../base/decimals.ts'
import { includesText } from '../base/find-text.ts'
import { isObject } from '../base/json.ts'
import { readOwn } from '../base/paths.ts'
import { showNumber, showTokens, showUsd } from '../base/show-number.ts'
import { sameKey } from '../conditions/comparison.ts'
import { type AddressBook, showAddress, showAddresses } from './addresses.ts'
import { type Budget, spendOn, spendOnLetters, spendSteps } from './budget.ts'
import { showDecision } from './decided.ts'
import {
  argument,
  type Call,
  isTruthy,
  readAmount,
  subject,
  subjectLetters,
  textOf,
  wholeArgument,
} from './helper-call.ts'
import { listValues, showName } from './names.ts'
import { timeHelpers } from './time-helpers.ts'

/** The helpers that show amounts. A value that is not a number stays unchanged. */
const amountHelpers: Record<string, (call: Call) => unknown> = {
  token: tokenAmount,
  number: groupedNumber,
  usd: (call) => {
    const decimal = readAmount(call)
    return decimal ? showUsd(decimal) : call.params[0]
  },
}

/** The helpers that compare and combine values, for `{{#if (…)}}` and severities. */
const logicHelpers: Record<string, (call: Call) => boolean> = {
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

/** Nothing is a percentage of zero, so the text is then empty. */
function percent(call: Call): unknown {
  const [value] = call.params
  const decimal = readAmount(call)
  if (!decimal) return value
  const digits = wholeArgument(call, 'digits', 1, [0, 80]) ?? 2
  const named = argument(call, 'of', 2)
  if (named === undefined) return `${showNumber(decimal, { digits })}%`
  const whole = readAmount({ ...call, params: [named] })
  if (!whole || whole.digits === 0n) return ''
  return `${showNumber(divideDecimals(shift(decimal, 2), whole, digits))}%`
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
  yaml: ({ params: [value], book, budget }) => toYaml(value, book, budget),
  explorer: ({ params: [value], network, budget }) => {
    spendOnLetters(budget, typeof value === 'string' ? value : '')
    return network.linkTo(value)
  },
  ...amountHelpers,
  ...logicHelpers,
  percent,
  ...timeHelpers,
  name: (call) => showName(call.params[0], call),
  event: tellEvent,
  values: (call) => listValues(call.params[0], call),
  decided: (call) => {
    spendOnFields(argument(call, 'policy', 0), call.budget)
    return showDecision(argument(call, 'policy', 0), textOf(argument(call, 'unit', 1), call.budget))
  },
}

/** The words for a value read its fields, and each letter of them. */
function spendOnFields(value: unknown, budget: Budget): void {
  if (!isObject(value)) return
  for (const field of Object.values(value)) {
    spendSteps(budget, 1)
    if (typeof field === 'string') spendOnLetters(budget, field)
  }
}

/** An event that the chain has no words for is told by its name. */
function tellEvent(call: Call): string {
  const event = textOf(argument(call, 'name', 0), call.budget)
  const params = argument(call, 'params', 1)
  if (!isObject(params)) return event
  spendOnFields(params, call.budget)
  const amount = (value: unknown) => textOf(tokenAmount({ ...call, params: [value], hash: {} }), call.budget)
  return call.network.tellEvent({ event, params, name: (value) => showName(value, call), amount }) ?? event
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

/** Writes a value as YAML in block style. Keys keep their order. Addresses of the address book have their names. Each line costs steps by its length with its indentation. */
function toYaml(value: unknown, book: AddressBook, budget: Budget): string {
  const lines: string[] = []
  const yaml = { lines, book, budget }
  writeValue(value, { first: '', rest: '' }, yaml)
  return lines.join('\n')
}

/** What stands before the first line of a value, and before its other lines. */
type Indent = { first: string; rest: string }
type Yaml = { lines: string[]; book: AddressBook; budget: Budget }

function writeValue(value: unknown, indent: Indent, yaml: Yaml): void {
  spendOn(yaml.budget, value)
  const entries = entriesOf(value)
  if (Array.isArray(value) && value.length > 0) writeList(value, indent, yaml)
  else if (entries.length > 0) writeEntries(entries, indent, yaml)
  else writeLine(`${indent.first}${scalar(value, yaml)}`, yaml)
}

function writeList(list: unknown[], { first, rest }: Indent, yaml: Yaml): void {
  for (const [at, item] of list.entries()) {
    const before = at === 0 ? first : rest
    writeValue(item, { first: `${before}- `, rest: `${rest}  ` }, yaml)
  }
}

function writeEntries(entries: [string, unknown][], { first, rest }: Indent, yaml: Yaml): void {
  for (const [at, [key, inner]] of entries.entries()) {
    const start = `${at === 0 ? first : rest}${plainOrQuoted(key)}:`
    if (isNested(inner)) {
      writeLine(start, yaml)
      writeValue(inner, { first: `${rest}  `, rest: `${rest}  ` }, yaml)
    } else writeLine(`${start} ${scalar(inner, yaml)}`, yaml)
  }
}

function writeLine(line: string, { lines, budget }: Yaml): void {
  spendSteps(budget, 1 + (line.length >> 6))
  lines.push(line)
}

function entriesOf(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : []
}

function isNested(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : entriesOf(value).length > 0
}

function scalar(value: unknown, { book, budget }: Yaml): string {
  if (value === null || value === undefined) return 'null'
  if (typeof value === 'string') return plainOrQuoted(book(value) ?? value)
  if (typeof value === 'object') return Array.isArray(value) ? '[]' : '{}'
  return textOf(value, budget)
}

const plain = /^[A-Za-z_$][\w$.@/()+ -]*$/
const reserved = /^(?:true|false|null|yes|no|on|off)$/i

/** Quotes a text that YAML could read as another value. A JSON string is a valid YAML string. */
function plainOrQuoted(text: string): string {
  return plain.test(text) && !reserved.test(text) && !text.endsWith(' ') ? text : JSON.stringify(text)
}
