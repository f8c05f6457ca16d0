/** Entries by a bound, the weakest first: those that a value meets stand together, and the others are not looked at. */
export type Bounds<T> = { is: 'atLeast' | 'atMost'; keys: number[]; entries: T[]; added: [number, T][] }

export function makeBounds<T>(is: 'atLeast' | 'atMost'): Bounds<T> {
  return { is, keys: [], entries: [], added: [] }
}

/** Sorted in when next asked: a million are added one by one when the service starts. */
export function addBound<T>(bounds: Bounds<T>, key: number, entry: T): void {
  bounds.added.push([key, entry])
}

export function removeBound<T>(bounds: Bounds<T>, entry: T): void {
  sortIn(bounds)
  const at = bounds.entries.indexOf(entry)
  if (at < 0) return
  bounds.keys.splice(at, 1)
  bounds.entries.splice(at, 1)
}

export function isWithoutBounds<T>({ entries, added }: Bounds<T>): boolean {
  return entries.length + added.length === 0
}

export function collectMet<T>(bounds: Bounds<T>, value: number, found: T[]): void {
  sortIn(bounds)
  const end = countMet(bounds, value)
  for (let at = 0; at < end; at++) {
    const entry = bounds.entries[at]
    if (entry !== undefined) found.push(entry)
  }
}

function countMet<T>({ is, keys }: Bounds<T>, value: number): number {
  let [low, high] = [0, keys.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const key = keys[middle] ?? 0
    if (is === 'atLeast' ? key <= value : key >= value) low = middle + 1
    else high = middle
  }
  return low
}

function sortIn<T>(bounds: Bounds<T>): void {
  if (bounds.added.length === 0) return
  const sign = bounds.is === 'atLeast' ? 1 : -1
  const all = bounds.keys.map((key, at): [number, T | undefined] => [key, bounds.entries[at]])
  const sorted = [...all, ...bounds.added].sort(([a], [b]) => (a === b ? 0 : a < b ? -sign : sign))
  bounds.keys = sorted.map(([key]) => key)
  bounds.entries = sorted.flatMap(([, entry]) => (entry === undefined ? [] : [entry]))
  bounds.added = []
}
