/** A sentence in parts. `value` is what a reader should notice, such as an amount; a page highlights it. */
export type Part = string | { value: string }
export type SentenceParts = Part[]

/** The names that people gave to things. A thing without a name is shown by its full name. */
export type Names = {
  trigger?: (fullname: string) => string | undefined
  source?: (fullname: string) => { title: string; currency?: string | undefined } | undefined
  destination?: (fullname: string) => string | undefined
}

export function textOfParts(parts: SentenceParts): string {
  return parts.map((part) => (typeof part === 'string' ? part : part.value)).join('')
}

/** `a`, `a and b`, `a, b and c` */
export function joinWords(words: readonly string[], last: 'and' | 'or' = 'and'): string {
  if (words.length < 2) return words[0] ?? ''
  return `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`
}

/** `a transfer`, `an approval` */
export function withArticle(noun: string): string {
  return `${/^[aeiou]/i.test(noun) ? 'an' : 'a'} ${noun}`
}
