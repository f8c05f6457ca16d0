import { isObject } from '../base/json.ts'
import { rulesOfChainRead } from './chain-read.ts'
import { providerRules } from './rules.ts'

/**
 * Adds the age of a price to its result. The age is against the time of the item, so it is not part of what runs share: a
 * result from the cache has another age for each item. A price that is newer than the item has the age 0.
 */
export const price = providerRules('price', (provider) => ({
  ...rulesOfChainRead(provider),
  atTime(value, nowMs) {
    if (!isObject(value) || typeof value.updatedAt !== 'string') return value
    const ageMs = Math.max(0, nowMs - Date.parse(value.updatedAt))
    return { ...value, ageMs, isStale: provider.maxAgeMs !== undefined && ageMs > provider.maxAgeMs }
  },
}))
