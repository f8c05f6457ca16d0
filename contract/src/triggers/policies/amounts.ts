/** The fields that several policies have, and the decimal numbers in them, which are compared exactly. */
import * as z from 'zod'
import { HumanAmount } from '../conditions.ts'
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

const amountForms = '{amount}, {amount, decimals} or {amount, token}'
const wantedBound = `must be a number, such as 10 or "0.5", or ${amountForms}`
const wantedChange = `must be a number above 0, a percentage such as "10%", or ${amountForms}`

/** A number in the unit of the value, or an amount in human units. */
export const Bound = boundWhere(wantedBound, (text) => isDecimalText(text))
export type Bound = z.output<typeof Bound>
/** How much a value changes: a number, a percentage or an amount in human units. */
export const ChangeBy = changeWhere((sign) => sign > 0, wantedChange)

/** A number, a percentage or an amount whose sign is right: negative, 0 or positive. */
export function changeWhere(isRight: (sign: number) => boolean, wanted: string) {
  return boundWhere(wanted, (text) => {
    const number = text.replace(/%$/, '')
    return isDecimalText(number) && isRight(compareDecimalTexts(number, '0'))
  })
}

function boundWhere(wanted: string, isRight: (text: string) => boolean) {
  return z
    .union([z.number(), z.string().max(1000), HumanAmount], { error: wanted })
    .refine((bound) => isInput(boundText(bound)) || isRight(boundText(bound)) || isBadAmount(bound), wanted)
}

/** Its own issue tells that it is no number. */
function isBadAmount(bound: unknown): boolean {
  return isAmount(bound) && !isDecimalText(boundText(bound))
}

function isAmount(bound: unknown): bound is HumanAmount {
  return typeof bound === 'object' && bound !== null
}

/** The number of a bound as text, in the unit of the bound. */
export function boundText(bound: number | string | HumanAmount): string {
  // An amount may be written as +5 or .5.
  return isAmount(bound)
    ? String(bound.amount)
        .replace(/^\+/, '')
        .replace(/^(-?)\./, '$10.')
    : String(bound)
}

/** In what unit a bound is: so many decimals, those of a token, or those of the item's own token. */
export type BoundUnit = { decimals: number } | { token: string }

/** The token of the item itself, as conditions and policies name it. */
export const itemToken = '{{source.address}}'

/** Undefined for a bound in the unit of the value itself. */
export function unitOfBound(bound: unknown): BoundUnit | undefined {
  if (!isAmount(bound)) return undefined
  if ('token' in bound) return { token: bound.token }
  return bound.decimals === undefined ? { token: itemToken } : { decimals: bound.decimals }
}

/** The unit in which a policy compares its values. All bounds of a policy have one unit. */
export function unitOfPolicy(policy: object | null): BoundUnit | undefined {
  if (policy === null) return undefined
  const bounds = ['above', 'below', 'by'].map((name): unknown => Reflect.get(policy, name))
  return unitOfBound(bounds.find((bound) => bound !== undefined))
}

export function isSameUnit(a: unknown, b: unknown): boolean {
  return JSON.stringify(unitOfBound(a)) === JSON.stringify(unitOfBound(b))
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
