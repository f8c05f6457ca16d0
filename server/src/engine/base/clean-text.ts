/** Cleans text from a chain or a template, so that no receiver shows it in a misleading form. */

const lineEnds = /\r\n?|[\u0085\u2028\u2029]/g
/** Control characters except line feed and tab. */
const controls = /[^\P{Cc}\n\t]/gu
/** Direction embeddings, overrides and isolates: they can reverse the rest of a line. Direction marks are harmless. */
const directions = /[\u202a-\u202e\u2066-\u2069]/g
const invisible = /[\u00ad\u200b\u2060\ufeff]/g
/** They change the direction of the letters beside them. A long text may need them, a title does not. */
const directionMarks = /[\u061c\u200e\u200f]/g
/** More combining marks on one letter than any script needs. They would cover the lines around. */
const excessMarks = /(\p{M}{4})\p{M}+/gu
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

export function cleanText(text: string): string {
  return text
    .toWellFormed()
    .replace(lineEnds, '\n')
    .replace(controls, '')
    .replace(directions, '')
    .replace(invisible, '')
    .replace(excessMarks, '$1')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

export function cleanLine(text: string): string {
  return cleanText(text).replace(/\s+/g, ' ')
}

/** Cuts to `max` UTF-16 units, never inside a grapheme. */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text
  if (max < 1) return ''
  let end = 0
  for (const { index, segment } of graphemes.segment(text.slice(0, max + 64))) {
    if (index + segment.length > max - 1) break
    end = index + segment.length
  }
  return `${text.slice(0, end).trimEnd()}…`
}

/** The characters of the longest title. */
const titleMax = 300

/** A title is one line. */
export function cleanTitle(text: string): string {
  return cutText(cleanLine(text.replace(directionMarks, '')), titleMax)
}
