import { parseTemplate } from './parse-template.ts'

type Parsed = ReturnType<typeof parseTemplate>

/** Characters of templates whose parsed form is kept: a subscription's are rendered again for every alert. */
const charactersMax = 1_000_000
const kept = new Map<string, Parsed>()
let characters = 0

/** What is parsed once is walked and never changed. */
export function parsedTemplate(text: string): Parsed {
  const known = kept.get(text)
  if (known) {
    kept.delete(text)
    kept.set(text, known)
    return known
  }
  const parsed = parseTemplate(text)
  kept.set(text, parsed)
  characters += text.length
  for (const oldest of kept.keys()) {
    if (characters <= charactersMax) break
    kept.delete(oldest)
    characters -= oldest.length
  }
  return parsed
}
