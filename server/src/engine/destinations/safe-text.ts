import type { Message, Severity } from '@tocsin/contract'
import type { AlertContext, Delivery } from './destination.ts'

/** Cleans text from a chain or a template, so that no channel shows it in a misleading form. */

const lineEnds = /\r\n?|[\u0085\u2028\u2029]/g
/** Control characters except line feed and tab. */
const controls = /[^\P{Cc}\n\t]/gu
/** Direction embeddings, overrides and isolates: they can reverse the rest of a line. Direction marks are harmless. */
const directions = /[\u202a-\u202e\u2066-\u2069]/g
const invisible = /[\u00ad\u200b\u2060\ufeff]/g
/** More combining marks on one letter than any script needs. They would cover the lines around. */
const excessMarks = /(\p{M}{4})\p{M}+/gu
/** A word joiner between `@` and the name disables a mention and keeps it readable. E-mail addresses are not mentions. */
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
    .replace(excessMarks, '$1')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

export function cleanLine(text: string): string {
  return cleanText(text).replace(/\s+/g, ' ')
}

export function disableMentions(text: string): string {
  return text.replace(mention, `@${wordJoiner}`)
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

/** Cuts a text so that the form in which the channel sends it fits: `sizeOf` counts its escaped characters, or its bytes. */
export function cutToSize(text: string, max: number, sizeOf: (text: string) => number): string {
  let kept = cutText(text, max)
  let size = sizeOf(kept)
  while (size > max && kept.length > 0) {
    kept = cutText(kept, Math.min(kept.length - 1, Math.floor((kept.length * max) / size)))
    size = sizeOf(kept)
  }
  return size > max ? '' : kept
}

/** The first links whose lines fit together. No line is cut, because a cut link would lead elsewhere. */
export function linksThatFit(links: readonly SafeLink[], max: number, lineOf: (link: SafeLink) => string): SafeLink[] {
  let size = 0
  const end = links.findIndex((link) => {
    size += lineOf(link).length + 1
    return size > max + 1
  })
  return end < 0 ? [...links] : links.slice(0, end)
}

/** Returns the URL if it is safe as a link, else undefined. */
export function safeUrl(text: string | undefined): string | undefined {
  if (text === undefined || !URL.canParse(text.trim())) return undefined
  const url = new URL(text.trim())
  const isPlain = ['http:', 'https:'].includes(url.protocol) && url.username === '' && url.password === ''
  return isPlain && url.href.length <= urlLengthMax ? url.href : undefined
}

export type SafeLink = { title: string; url: string }
export type SafeMessage = { title: string; body: string; links: SafeLink[]; cover?: string; icon?: string }

const linksMax = 10

/** What the title shows of the alert beside its message. */
export type ShownContext = Pick<AlertContext, 'severity' | 'state' | 'repeat'>

/** What a title begins with. Most alerts have the severity info, so their titles stay as they are. */
const severityMarks = { info: '', warning: 'Warning: ', critical: 'Critical: ' } as const satisfies Record<
  Severity,
  string
>

function markOf({ severity, state, repeat }: ShownContext): string {
  if (state === 'resolved') return 'Resolved: '
  return `${repeat === undefined ? '' : `Still (${repeat}): `}${severityMarks[severity]}`
}

/** The cleaned content of a message for every channel. The channel escapes and cuts it. */
export function safeMessage(message: Message, kind: Delivery['kind'], context: ShownContext): SafeMessage {
  const title = cleanLine(message.title) || 'Alert'
  const marked = `${kind === 'retraction' ? '' : markOf(context)}${title}`
  const cover = safeUrl(message.cover)
  const icon = safeUrl(message.icon ?? message.avatar)
  return {
    title: kind === 'test' ? `[Test] ${marked}` : marked,
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

/** The text that tells readers why an alert was retracted. */
export function retractionNote(reason: string | undefined): string {
  return `Retracted: ${cleanLine(reason ?? '') || 'its block was replaced by a reorg.'}`
}
