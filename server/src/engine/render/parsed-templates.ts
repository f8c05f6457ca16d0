import { parseTemplate } from './parse-template.ts'

type Parsed = ReturnType<typeof parseTemplate>

/** The cache holds parsed templates of at most this many characters in total. A subscription renders its templates for every alert. */
const charactersMax = 1_000_000
const cache = new Map<string, Parsed>()
let characters = 0

/** Returns the parsed template from the cache. Callers must not change it. */
export function parsedTemplate(text: string): Parsed {
  const known = cache.get(text)
  if (known) {
    cache.delete(text)
    cache.set(text, known)
    return known
  }
  const parsed = parseTemplate(text)
  cache.set(text, parsed)
  characters += text.length
  for (const oldest of cache.keys()) {
    if (characters <= charactersMax) break
    cache.delete(oldest)
    characters -= oldest.length
  }
  return parsed
}
