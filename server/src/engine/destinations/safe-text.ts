import type { Message } from '@tocsin/contract'

/** What comes from a chain or a template → text that reads as it is, whatever the channel would make of it. */

const lineEnds = /\r\n?|[\u0085\u2028\u2029]/g
/** Control characters but line feed and tab. */
const controls = /[^\P{Cc}\n\t]/gu
/** Embeddings, overrides and isolates of direction: they make the rest of a line read backwards. Marks are harmless. */
const directions = /[\u202a-\u202e\u2066-\u2069]/g
const invisible = /[\u00ad\u200b\u2060\ufeff]/g
/** More marks on one letter than any script needs; they would run over the lines around. */
const piledMarks = /(\p{M}{4})\p{M}+/gu
/** Between the sign and the name it keeps both readable and is no mention any more. Addresses of e-mail are none. */
const mention = /(?<![\p{L}\p{N}._-])@(?=[\p{L}\p{N}_])/gu
const wordJoiner = '\u2060'

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })
const urlLengthMax = 2000

export function cleanText(text: string): string {
  return text
    .toWellFormed()
    .replace(lineEnds, '\n')
    .replace(controls, '')
    .replace(directions, '')
    .replace(invisible, '')
    .replace(piledMarks, '$1')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

export function cleanLine(text: string): string {
  return cleanText(text).replace(/\s+/g, ' ')
}

export function withoutMentions(text: string): string {
  return text.replace(mention, `@${wordJoiner}`)
}

/** At most so many UTF-16 units, between two characters as people see them. */
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

/** Cut so that it fits after it was escaped, and no escape is cut in two. */
export function cutEscaped(text: string, max: number, escaping: (text: string) => string): string {
  let kept = cutText(text, max)
  let escaped = escaping(kept)
  while (escaped.length > max && kept.length > 0) {
    kept = cutText(kept, Math.min(kept.length - 1, Math.floor((kept.length * max) / escaped.length)))
    escaped = escaping(kept)
  }
  return escaped.length > max ? '' : escaped
}

/** An address that a click may lead to; undefined for everything else. */
export function safeUrl(text: string | undefined): string | undefined {
  if (text === undefined || !URL.canParse(text.trim())) return undefined
  const url = new URL(text.trim())
  const isPlain = ['http:', 'https:'].includes(url.protocol) && url.username === '' && url.password === ''
  return isPlain && url.href.length <= urlLengthMax ? url.href : undefined
}

export type SafeLink = { title: string; url: string }
export type SafeMessage = { title: string; body: string; links: SafeLink[]; cover?: string; icon?: string }

const linksMax = 10

/** What every channel shows, cleaned; the channel escapes and cuts it. */
export function safeMessage(message: Message, kind: 'alert' | 'retraction' | 'test' = 'alert'): SafeMessage {
  const title = cleanLine(message.title) || 'Alert'
  const cover = safeUrl(message.cover)
  const icon = safeUrl(message.icon ?? message.avatar)
  return {
    title: kind === 'test' ? `[Test] ${title}` : title,
    body: cleanText(message.long ?? message.short ?? ''),
    links: (message.links ?? []).slice(0, linksMax).flatMap(safeLink),
    ...(cover !== undefined && { cover }),
    ...(icon !== undefined && { icon }),
  }
}

function safeLink({ title, url }: { title: string; url: string }): SafeLink[] {
  const safe = safeUrl(url)
  return safe === undefined ? [] : [{ title: cleanLine(title) || new URL(safe).host, url: safe }]
}

/** Why an alert no longer holds, as people read it. */
export function retractionNote(reason: string | undefined): string {
  return `Retracted: ${cleanLine(reason ?? '') || 'the block it was found in was replaced.'}`
}
