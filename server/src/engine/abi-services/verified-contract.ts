import { findUnsafe } from '@tocsin/contract'
import { isObject } from '../base/is-object.ts'

/** The ABI of a contract as a service has it. `documentation` has a text for each signature of an event or function. */
export type VerifiedContract = {
  abi: Record<string, unknown>[]
  name?: string
  documentation?: Record<string, string>
}

const nameLengthMax = 256
const itemsMax = 5_000

/** Undefined if the value is no list of ABI items. Some services send the list as text. Items that nest too deep are left out. */
export function readAbiItems(value: unknown): Record<string, unknown>[] | undefined {
  const list = typeof value === 'string' ? parseList(value) : value
  if (!Array.isArray(list) || !list.every(isObject)) return undefined
  return list.slice(0, itemsMax).filter((item) => findUnsafe(item) === undefined)
}

export function readName(value: unknown): { name?: string } {
  if (typeof value !== 'string' || value.trim() === '') return {}
  return { name: value.trim().slice(0, nameLengthMax).toWellFormed() }
}

function parseList(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
