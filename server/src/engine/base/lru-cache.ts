export type LruCache<T> = ReturnType<typeof makeLruCache<T>>

/**
 * A cache that drops the least recently used keys when the sizes of its entries exceed `max`. Without `sizeOf` every entry
 * counts as one. `get` makes a missing value.
 */
export function makeLruCache<T>(max: number, sizeOf: (key: string, value: T) => number = () => 1) {
  const entries = new Map<string, T>()
  let size = 0
  const drop = (key: string): boolean => {
    const value = entries.get(key)
    if (value === undefined) return false
    size -= sizeOf(key, value)
    return entries.delete(key)
  }
  return {
    get: (key: string, make: () => T): T => {
      const value = entries.get(key) ?? make()
      drop(key)
      entries.set(key, value)
      size += sizeOf(key, value)
      for (const oldest of entries.keys()) {
        if (size <= max || oldest === key) break
        drop(oldest)
      }
      return value
    },
    has: (key: string): boolean => entries.has(key),
    delete: drop,
  }
}
