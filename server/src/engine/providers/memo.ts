import type { Provider } from '@tocsin/contract'
import { isReadingMethod } from '../sources/reading-methods.ts'
import type { BlockRef } from '../world.ts'

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
  // What a source serves to its own workspace alone must not reach others through the memo.
  if (provider.type === 'rpc' && provider.transport === 'source') return isReadingMethod(provider.method)
  return provider.type !== 'javascript' && provider.type !== 'state_window'
}

export function readOnce(memo: ReadMemo, key: string, read: () => Promise<unknown>): Promise<unknown> {
  const known = memo.get(key)
  if (known) return known
  const reading = read()
  memo.set(key, reading)
  reading.catch(() => memo.delete(key))
  return reading
}
