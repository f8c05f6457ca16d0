import type { Provider } from '@tocsin/contract'
import { isObject } from '../base/is-object.ts'

/**
 * Adds the age of a price to its result. The age is against the time of the item, so it is not part of what runs share: a
 * result from the cache has another age for each item. A price that is newer than the item has the age 0.
 */
export function withPriceAge(provider: Provider, value: unknown, nowMs: number): unknown {
  if (provider.type !== 'price' || !isObject(value) || typeof value.updatedAt !== 'string') return value
  const ageMs = Math.max(0, nowMs - Date.parse(value.updatedAt))
  return { ...value, ageMs, isStale: provider.maxAgeMs !== undefined && ageMs > provider.maxAgeMs }
}
