import type { Provider } from '@tocsin/contract'
import { isObject } from '../base/is-object.ts'
import type { BlockRef } from '../sources/block.ts'
import { isReadingMethod } from '../sources/chains.ts'
import type { ProviderOf } from './context.ts'

/** Reads under way or done in one block. A failed one is forgotten, so that the next run may try again. */
export type ReadMemo = Map<string, Promise<unknown>>

const unlikeReads = ['id', 'weight', 'optional', 'outputSchema']

/** Undefined for what must happen each time: writes, scripts, windows. */
export function memoKey(provider: Provider, at: BlockRef | undefined, responseBytesMax: number): string | undefined {
  if (!isRead(provider)) return undefined
  const request = Object.entries(provider).filter(([name]) => !unlikeReads.includes(name))
  return JSON.stringify([at?.hash ?? null, responseBytesMax, request.sort(([a], [b]) => (a < b ? -1 : 1))])
}

function isRead(provider: Provider): boolean {
  if (provider.type === 'http') return (provider.method ?? 'GET') === 'GET'
  if (provider.type === 'graphql') return !/\bmutation\b/.test(provider.query)
  // What is not known to read may write. And what a source serves to its own workspace alone must not reach others.
  if (provider.type === 'rpc') return isReadingMethod(calledMethod(provider))
  return provider.type !== 'javascript' && provider.type !== 'state_window'
}

/** A `body` is sent as it is, instead of a request for `method`. Empty when the body does not name one method. */
function calledMethod(provider: ProviderOf<'rpc'>): string {
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
