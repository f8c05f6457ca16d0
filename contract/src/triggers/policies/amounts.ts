/** The fields that several policies have, and the decimal numbers in them, which are compared exactly. */
import * as z from 'zod'
import { durationBetween } from '../durations.ts'

/** A path in the raw output. */
export const ValuePath = z.string().min(1).max(256)
/** A path in the raw output: each of its values has a state of its own. */
export const Key = z.string().min(1).max(256).optional()
export const Pause = durationBetween('0s', '365d')
export const For = Pause.optional().describe('How long it must hold, such as `5m`.')
export const Period = durationBetween('1s', '365d')
/** The length of a window. */
export const Within = Period.describe('The length of the time window, such as `10m`.')
/** While the alert fires, it is delivered again after each such period. */
export const Repeat = Period.optional().describe('Delivers a firing alert again after this time, such as `1h`.')

const wantedBound = 'must be a number, such as 10 or "0.5"'
const wantedChange = 'must be a number above 0, or a percentage such as "10%"'

export const Bound = z
  .union([z.number(), z.string().max(1000)], { error: wantedBound })
  .refine((bound) => isInput(bound) || isDecimalText(String(bound)), wantedBound)
/** How much a value changes: a number or a percentage. */
export const ChangeBy = changeWhere((sign) => sign > 0, wantedChange)

/** A number or a percentage whose sign is right: negative, 0 or positive. */
export function changeWhere(isRight: (sign: number) => boolean, wanted: string) {
  const isWanted = (text: string) => isDecimalText(text) && isRight(compareDecimalTexts(text, '0'))
  return z
    .union([z.number(), z.string().max(1000)], { error: wanted })
    .refine((by) => isInput(by) || isWanted(String(by).replace(/%$/, '')), wanted)
}

/** `{{inputs.x}}`: the subscription's input, or the value of its template. */
function isInput(text: unknown): boolean {
  return typeof text === 'string' && /^\{\{\s*inputs\.[^{}]+\}\}$/.test(text)
}

/** A policy with `above` and `below` has exactly one of them. */
export function requireOneSide<Bounds extends { above?: unknown; below?: unknown }>(
  { above, below }: Bounds,
  context: z.core.$RefinementCtx<Bounds>,
): void {
  if ((above === undefined) === (below === undefined))
    context.addIssue({ code: 'custom', path: ['above'], message: 'give either above or below' })
}

const pattern = /^-?(\d{1,400})(?:\.(\d{1,400}))?(?:e([+-]?\d{1,3}))?$/i

/** True for a decimal number of any size, such as `12`, `-0.5` or `1e18`. */
export function isDecimalText(text: string): boolean {
  return pattern.test(text)
}

/** Compares two decimal numbers exactly: -1 if the first is smaller, 0 if they are equal, else 1. */
export function compareDecimalTexts(a: string, b: string): number {
  const [left, right] = [scaled(a), scaled(b)]
  return left === right ? 0 : left < right ? -1 : 1
}

/** More places than an exponent of three digits and a fraction can need. */
const placesMax = 1_500

function scaled(text: string): bigint {
  const [, whole = '0', fraction = '', exponent = '0'] = pattern.exec(text) ?? []
  const digits = BigInt(`${whole}${fraction}`) * 10n ** BigInt(placesMax - fraction.length + Number(exponent))
  return text.startsWith('-') ? -digits : digits
}
