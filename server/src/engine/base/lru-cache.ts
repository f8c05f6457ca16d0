export type LruCache<T> = ReturnType<typeof makeLruCache<T>>

/** A cache that drops the least recently used key. `get` makes a missing value. */
export function makeLruCache<T>(max: number) {
  const entries = new Map<string, T>()
  return {
    get: (key: string, make: () => T): T => {
      const value = entries.get(key) ?? make()
      entries.delete(key)
      entries.set(key, value)
      const [oldest] = entries.keys()
      if (entries.size > max && oldest !== undefined) entries.delete(oldest)
      return value
    },
    has: (key: string): boolean => entries.has(key),
    delete: (key: string): boolean => entries.delete(key),
  }
}
