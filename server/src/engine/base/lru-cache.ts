export type LruCache<T> = ReturnType<typeof makeLruCache<T>>

/** Keeps what was made for the keys used last. */
export function makeLruCache<T>(max: number) {
  const kept = new Map<string, T>()
  return {
    get: (key: string, make: () => T): T => {
      const value = kept.get(key) ?? make()
      kept.delete(key)
      kept.set(key, value)
      const [oldest] = kept.keys()
      if (kept.size > max && oldest !== undefined) kept.delete(oldest)
      return value
    },
    has: (key: string): boolean => kept.has(key),
    delete: (key: string): boolean => kept.delete(key),
  }
}
