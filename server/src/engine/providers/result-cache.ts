import { makeLruCache } from '../base/lru-cache.ts'

type Result = { value: unknown; bytes: number }

/** The results that providers with `cache` share over the runs of their trigger, in the memory of one process. */
export type ResultCache = {
  read(key: string, ttlMs: number, read: () => Promise<Result>): Promise<unknown>
}

type Entry = Result & { endsAtMs: number }
const bytesMaxDefault = 32 * 1024 * 1024
const entryBytes = 200

/** Stores no failure. Runs that need the same result at the same time share one read. */
export function makeResultCache(now: () => number, bytesMax = bytesMaxDefault): ResultCache {
  const entries = makeLruCache<Entry>(bytesMax, (_key, { bytes }) => bytes + entryBytes)
  const reading = new Map<string, Promise<unknown>>()
  const store = async (key: string, ttlMs: number, read: () => Promise<Result>) => {
    const { value, bytes } = await read()
    if (bytes + entryBytes <= bytesMax) entries.set(key, { value, bytes, endsAtMs: now() + ttlMs })
    return value
  }
  return {
    read(key, ttlMs, read) {
      const known = entries.find(key)
      if (known && now() < known.endsAtMs) return Promise.resolve(known.value)
      const running = reading.get(key) ?? store(key, ttlMs, read).finally(() => reading.delete(key))
      reading.set(key, running)
      return running
    },
  }
}
