import type { ItemAmount, PathValue, TokenAmount, UnitAmount } from '@tocsin/contract'
import { addDecimals, multiplyDecimals, readDecimal, shift, showDecimal } from '../base/decimals.ts'
import { isObject } from '../base/json.ts'
import { parsePath, readPath } from '../base/paths.ts'
import { spendOnText } from './budget.ts'
import { type Comparison, fromHuman } from './comparison.ts'

/**
 * The value that a comparison asks for, in the unit of its field: inputs are filled in, and human amounts are converted.
 * Undefined if it is missing.
 */
export function wantedOf({ op, value }: Comparison, inputs: Record<string, unknown>, decimals: number): unknown {
  if (isAmount(value)) return amountIn(value, inputs)
  const wanted = resolveValue(value, inputs)
  if (decimals === 0 || op === 'startsWith' || op === 'matches') return wanted
  return Array.isArray(wanted) ? listFromHuman(wanted, decimals) : fromHuman(wanted, decimals)
}

/** Comparisons with the same list of an input share the converted list, and with it its keys. */
const convertedLists = new WeakMap<readonly unknown[], Map<number, readonly unknown[]>>()

function listFromHuman(list: readonly unknown[], decimals: number): readonly unknown[] {
  const ofList = convertedLists.get(list) ?? new Map<number, readonly unknown[]>()
  convertedLists.set(list, ofList)
  const converted = ofList.get(decimals) ?? list.map((one) => fromHuman(one, decimals))
  ofList.set(decimals, converted)
  return converted
}

function isAmount(value: unknown): value is UnitAmount {
  return isObject(value) && 'amount' in value && 'decimals' in value
}

export function isTokenAmount(value: unknown): value is TokenAmount {
  return isObject(value) && 'amount' in value && 'token' in value
}

export function isItemAmount(value: unknown): value is ItemAmount {
  return isObject(value) && 'amount' in value && !('token' in value) && !('decimals' in value)
}

/** The amount in the smallest unit; undefined if it is not a number. */
export function amountIn({ amount, decimals }: UnitAmount, inputs: Record<string, unknown>): string | undefined {
  const decimal = readDecimal(resolveValue(amount, inputs))
  return decimal && showDecimal(shift(decimal, decimals))
}

/**
 * What a comparison with another field asks for, given that field's value. Undefined if the field is missing, or if it is to
 * be multiplied or added to and is no number.
 */
export function wantedOfPath({ times, plus }: PathValue, value: unknown): unknown {
  if (times === undefined && plus === undefined) return value
  const decimal = readDecimal(value)
  const factor = readDecimal(times ?? 1)
  const addend = readDecimal(plus ?? 0)
  return decimal && factor && addend && showDecimal(addDecimals(multiplyDecimals(decimal, factor), addend))
}

/** Fills `{{inputs.x}}` in a wanted value. Undefined if the subscription has no such input. */
function resolveValue(value: unknown, inputs: Record<string, unknown>): unknown {
  if (Array.isArray(value)) return hasPlaceholder(value) ? value.map((inner) => resolveValue(inner, inputs)) : value
  if (typeof value !== 'string' || !value.includes('{{')) return value
  const alone = /^\{\{([^{}]*)\}\}$/.exec(value)?.[1]
  if (alone !== undefined) return inputAt(alone, inputs)
  return value.replaceAll(/\{\{([^{}]*)\}\}/g, (_, reference: string) => {
    const filled = textOf(inputAt(reference, inputs))
    // Each of a thousand values may name the same long input.
    spendOnText(filled)
    return filled
  })
}

/** Lists without a placeholder. A list may have 10,000 values and thousands of listeners. */
const plainLists = new WeakSet<readonly unknown[]>()

/** A list without a placeholder keeps its identity, so that its keys are computed once for all of its listeners. */
function hasPlaceholder(list: readonly unknown[]): boolean {
  if (plainLists.has(list)) return false
  const isFilled = list.some((value) => typeof value === 'string' && value.includes('{{'))
  if (!isFilled) plainLists.add(list)
  return isFilled
}

function inputAt(reference: string, inputs: Record<string, unknown>): unknown {
  const [root, ...path] = parsePath(reference.trim().replace(/\?$/, ''))
  return root === 'inputs' ? readPath(inputs, path) : undefined
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}
