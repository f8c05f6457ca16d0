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
  const set = (key: string, value: T): T => {
    drop(key)
    entries.set(key, value)
    size += sizeOf(key, value)
    for (const oldest of entries.keys()) {
      if (size <= max || oldest === key) break
      drop(oldest)
    }
    return value
  }
  return {
    get: (key: string, make: () => T): T => set(key, entries.get(key) ?? make()),
    /** The value, if there is one. It then counts as used. */
    find: (key: string): T | undefined => {
      const value = entries.get(key)
      return value === undefined ? undefined : set(key, value)
    },
    set,
    has: (key: string): boolean => entries.has(key),
    delete: drop,
  }
}
