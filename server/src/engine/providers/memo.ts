import type { Provider } from '@tocsin/contract'
import { isObject } from '../base/is-object.ts'
import type { BlockRef } from '../sources/block.ts'
import { isReadingMethod } from '../sources/chains.ts'

/** The reads of one block, running or done. A failed read is removed, so that the next run can try again. */
export type ReadMemo = Map<string, Promise<unknown>>

const fieldsOutsideRequest = ['id', 'weight', 'optional', 'outputSchema', 'runIf', 'cache', 'retry']

/** Undefined if the provider must run each time: writes, scripts, windows. */
export function memoKey(provider: Provider, at: BlockRef | undefined, responseBytesMax: number): string | undefined {
  if (!isRead(provider)) return undefined
  return JSON.stringify([at?.hash ?? null, responseBytesMax, requestOf(provider)])
}

/** The fields of a provider that make up its request, in a fixed order. */
export function requestOf(provider: Provider): [string, unknown][] {
  const fields = Object.entries(provider).filter(([name]) => !fieldsOutsideRequest.includes(name))
  return fields.sort(([a], [b]) => (a < b ? -1 : 1))
}

function isRead(provider: Provider): boolean {
  if (provider.type === 'http') return (provider.method ?? 'GET') === 'GET'
  if (provider.type === 'graphql') return !/\bmutation\b/.test(provider.query)
  // An unknown method may write. And a method that a source allows only to its own workspace must not be shared with others.
  if (provider.type === 'rpc') return isReadingMethod(calledMethod(provider))
  return provider.type !== 'javascript' && provider.type !== 'state_window'
}

/** A `body` replaces the request for `method`. Empty if the body does not name one method. */
function calledMethod(provider: Extract<Provider, { type: 'rpc' }>): string {
  if (provider.transport === 'source' || provider.body === undefined) return provider.method
  return isObject(provider.body) ? String(provider.body.method) : ''
}

export function readThroughMemo(memo: ReadMemo, key: string, read: () => Promise<unknown>): Promise<unknown> {
  const known = memo.get(key)
  if (known) return known
  const reading = read()
  memo.set(key, reading)
  reading.catch(() => memo.delete(key))
  return reading
}
