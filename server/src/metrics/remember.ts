/**
 * Keeps what was made for each key. Labels are looked up one by one, because joining them into a key would cost more than
 * counting. After `max` keys, further keys share what is made for `rest`: tenants name some of the labels, and must not be
 * able to fill the memory with them.
 */
export function remember<Key, Made>(make: (key: Key) => Made, limit?: { max: number; rest: Key }): (key: Key) => Made {
  const made = new Map<Key, Made>()
  const find = (key: Key): Made => {
    const known = made.get(key)
    if (known !== undefined) return known
    if (limit && made.size >= limit.max && key !== limit.rest) return find(limit.rest)
    const fresh = make(key)
    made.set(key, fresh)
    return fresh
  }
  return find
}
