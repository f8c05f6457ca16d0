import { makeLruCache } from '../base/lru-cache.ts'

/** The metadata of tokens, for all sources of a process. */
export type TokenCache = { read(key: string, read: () => Promise<unknown>): Promise<unknown> }

/** An entry takes at most about 2 KiB, because the chains shorten names. */
const tokensMax = 10_000

/** Stores no failure. Callers that need the same token at the same time share one read. */
export function makeTokenCache(max = tokensMax): TokenCache {
  const tokens = makeLruCache<Promise<unknown>>(max)
  return {
    read(key, read) {
      const known = tokens.find(key)
      if (known) return known
      const reading = read()
      void tokens.set(key, reading)
      reading.catch(() => tokens.delete(key))
      return reading
    },
  }
}
