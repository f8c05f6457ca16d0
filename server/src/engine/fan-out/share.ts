/** The same JSON many times is one value: a hundred thousand subscriptions say few different things. */
export type Sharing = {
  /** Parsed once for each text. */
  parse<T>(text: string | null): T | null
  /** The first of the values that are the same as JSON. */
  value<T>(value: T): T
  text(text: string): string
}

/** What is said once only is not worth remembering: it would be kept among what is, and never given back. */
const rememberedMost = 4_000

/** Lives for one load. */
export function makeSharing(): Sharing {
  const parsed = new Map<string, unknown>()
  const values = new Map<string, unknown>()
  const texts = new Map<string, string>()
  return {
    parse<T>(text: string | null): T | null {
      if (text === null) return null
      if (!parsed.has(text)) remember(parsed, text, JSON.parse(text))
      return parsed.get(text) as T
    },
    value<T>(value: T): T {
      if (value === null || value === undefined || (typeof value !== 'object' && typeof value !== 'string'))
        return value
      const key = JSON.stringify(value)
      if (!values.has(key)) remember(values, key, value)
      return values.get(key) as T
    },
    text(text) {
      const known = texts.get(text)
      if (known === undefined) remember(texts, text, text)
      return known ?? text
    },
  }
}

function remember<T>(known: Map<string, T>, key: string, value: T): void {
  if (known.size >= rememberedMost) known.clear()
  known.set(key, value)
}
