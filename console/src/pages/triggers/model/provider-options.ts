import { isObject } from '../../../forms/json.ts'
import type { Fields } from './definition.ts'

/** The options that every provider may have, beside the fields of its type. */
export const optionNames = ['runIf', 'cache', 'retry', 'weight', 'outputSchema'] as const

/** Only these providers can wait for an answer. */
export function canRetry({ type }: Fields): boolean {
  return type === 'http' || type === 'graphql' || type === 'rpc'
}

export function hasOptions(provider: Fields): boolean {
  return optionNames.some((name) => provider[name] !== undefined)
}

/** Five attempts, the first after a second. */
export const blankRetry: Fields = { attempts: 5, delayMs: 1000, backoff: 'exponential', retryOn: ['http_error'] }

/** An option with other parts. Parts that are undefined are left out, and those that no form shows stay. */
export function withParts(option: unknown, parts: Fields): Fields {
  const before = isObject(option) ? option : {}
  return Object.fromEntries(Object.entries({ ...before, ...parts }).filter(([, value]) => value !== undefined))
}

/** A cache without a time is no cache. */
export function withCache(cache: unknown, parts: Fields): Fields | undefined {
  const next = withParts(cache, parts)
  return next.ttlMs === undefined ? undefined : next
}

/** `until` without a path is no `until`. */
export function withUntil(retry: Fields, parts: Fields): Fields {
  const until = withParts(retry.until, parts)
  return withParts(retry, { until: until.path === undefined ? undefined : until })
}
