/** Interns JSON values: equal values become one object. A hundred thousand subscriptions have few different values. */
export type Interner = {
  /** Parses each text once. */
  parse<T>(text: string | null): T | null
  /** Returns the first value with the same JSON. */
  value<T>(value: T): T
  text(text: string): string
}

/** The maps are cleared at this size, so that values that occur once do not fill the memory. */
const internedMax = 4_000

/** Makes an interner for one load of listeners. */
export function makeInterner(): Interner {
  const parsed = new Map<string, unknown>()
  const values = new Map<string, unknown>()
  const texts = new Map<string, string>()
  return {
    parse<T>(text: string | null): T | null {
      if (text === null) return null
      if (!parsed.has(text)) store(parsed, text, JSON.parse(text))
      return parsed.get(text) as T
    },
    value<T>(value: T): T {
      if (value === null || value === undefined || (typeof value !== 'object' && typeof value !== 'string'))
        return value
      const key = JSON.stringify(value)
      if (!values.has(key)) store(values, key, value)
      return values.get(key) as T
    },
    text(text) {
      const known = texts.get(text)
      if (known === undefined) store(texts, text, text)
      return known ?? text
    },
  }
}

function store<T>(known: Map<string, T>, key: string, value: T): void {
  if (known.size >= internedMax) known.clear()
  known.set(key, value)
}
