/** The helpers that show time spans and blocks. */
import { durationWords, parseDurationMs } from '@tocsin/contract'
import { showDecimal } from '../base/decimals.ts'
import { isObject } from '../base/json.ts'
import { showNumber } from '../base/show-number.ts'
import { spendOnLetters } from './budget.ts'
import { argument, type Call, readAmount, textOf } from './helper-call.ts'

export const timeHelpers: Record<string, (call: Call) => unknown> = { duration, block }

/** A value that is no time span stays unchanged. */
function duration(call: Call): unknown {
  const [from, to] = call.params
  const isPair = call.params.length > 1
  const ms = isPair ? between(timeOf(from, call), timeOf(to, call)) : spanOf(from, call)
  return ms === undefined ? from : spanWords(ms)
}

function between(fromMs: number | undefined, toMs: number | undefined): number | undefined {
  return fromMs === undefined || toMs === undefined ? undefined : Math.abs(toMs - fromMs)
}

/** Milliseconds since 1970, or an ISO time. */
function timeOf(value: unknown, call: Call): number | undefined {
  const ms = msOf(value, call)
  if (ms !== undefined || typeof value !== 'string') return ms
  const parsed = Date.parse(value.slice(0, textMax))
  return Number.isNaN(parsed) ? undefined : parsed
}

/** Milliseconds, or a duration such as `90m`. */
function spanOf(value: unknown, call: Call): number | undefined {
  const ms = msOf(value, call)
  if (ms !== undefined) return Math.abs(ms)
  return typeof value === 'string' ? parseDurationMs(value.slice(0, textMax)) : undefined
}

const textMax = 64

function msOf(value: unknown, call: Call): number | undefined {
  if (typeof value === 'string') spendOnLetters(call.budget, value)
  const decimal = readAmount({ ...call, params: [value] })
  const ms = decimal && Number(showDecimal(decimal))
  return ms !== undefined && Number.isFinite(ms) ? ms : undefined
}

const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
] as const
/** “3 hours 5 minutes” says enough; the seconds of three hours do not matter. */
const unitsMax = 2

function spanWords(ms: number): string {
  let rest = Math.floor(ms / 1_000) * 1_000
  if (rest === 0) return ms === 0 ? '0 seconds' : 'less than a second'
  const largest = units.findIndex(([, size]) => rest >= size)
  const parts = units.slice(largest, largest + unitsMax).map(([unit, size]) => {
    const count = Math.floor(rest / size)
    rest -= count * size
    return count > 0 ? `${count}${unit}` : ''
  })
  return durationWords(parts.join(''))
}

/** A number, or a block of an item. What is no block number stays unchanged. */
function block(call: Call): unknown {
  const [value] = call.params
  const number = isObject(value) ? (value.number ?? value.slot) : value
  if (typeof number === 'string') spendOnLetters(call.budget, number)
  const decimal = readAmount({ ...call, params: [number] })
  if (!decimal || !/^\d+$/.test(showDecimal(decimal))) return value
  const text = showNumber(decimal)
  const link = argument(call, 'link', 1) === false ? undefined : call.network.linkTo(textOf(number, call.budget))
  return link === undefined || link === '' ? text : `${text} ${link}`
}
