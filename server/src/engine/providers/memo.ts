import type { Provider } from '@tocsin/contract'
import type { BlockRef } from '../sources/block.ts'
import type { ReadMemo } from './context.ts'
import { rulesOf } from './list.ts'

const fieldsOutsideRequest = ['id', 'weight', 'optional', 'outputSchema', 'runIf', 'cache', 'retry']

/** Undefined if the provider must run each time: writes, scripts, windows. */
export function memoKey(provider: Provider, at: BlockRef | undefined, responseBytesMax: number): string | undefined {
  if (!rulesOf(provider).isRead) return undefined
  return JSON.stringify([at?.hash ?? null, responseBytesMax, requestOf(provider)])
}

/** The fields of a provider that make up its request, in a fixed order. */
export function requestOf(provider: Provider): [string, unknown][] {
  const fields = Object.entries(provider).filter(([name]) => !fieldsOutsideRequest.includes(name))
  return fields.sort(([a], [b]) => (a < b ? -1 : 1))
}

export function readThroughMemo(memo: ReadMemo, key: string, read: () => Promise<unknown>): Promise<unknown> {
  const known = memo.get(key)
  if (known) return known
  const reading = read()
  memo.set(key, reading)
  reading.catch(() => memo.delete(key))
  return reading
}
