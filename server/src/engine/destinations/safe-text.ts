import { groupDigits, type Message, type Severity } from '@tocsin/contract'
import { cleanLine, cleanText, cleanTitle, cutText } from '../base/clean-text.ts'
import type { AlertContext, Delivery } from './destination.ts'

/** A word joiner between `@` and the name disables a mention and keeps it readable. E-mail addresses are not mentions. */
const mention = /(?<![\p{L}\p{N}._-])@(?=[\p{L}\p{N}_])/gu
const wordJoiner = '\u2060'

const urlLengthMax = 2000

export function disableMentions(text: string): string {
  return text.replace(mention, `@${wordJoiner}`)
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
/** `footer` says where and when it happened. */
export type SafeMessage = {
  title: string
  body: string
  links: SafeLink[]
  footer: string
  cover?: string
  icon?: string
}

const linksMax = 10

/** What a title begins with. Most alerts have the severity info, so their titles stay as they are. */
const severityMarks = { info: '', warning: 'Warning: ', critical: 'Critical: ' } as const satisfies Record<
  Severity,
  string
>

function markOf({ severity, state, repeat }: AlertContext): string {
  if (state === 'resolved') return 'Resolved: '
  return `${repeat === undefined ? '' : `Still (${repeat}): `}${severityMarks[severity]}`
}

export type Shown = { message: Message; kind: Delivery['kind']; context: AlertContext; reason?: string | undefined }

/** The cleaned content of a message for every channel. The channel escapes and cuts it. A retraction says what it takes back. */
export function safeMessage({ message, kind, context, reason }: Shown): SafeMessage {
  const title = cleanTitle(message.title) || 'Alert'
  const body = cleanText(message.long ?? message.short ?? '')
  const cover = safeUrl(message.cover)
  const icon = safeUrl(message.icon ?? message.avatar)
  return {
    title: `${prefixes[kind]}${kind === 'retraction' ? '' : markOf(context)}${title}`,
    body: kind === 'retraction' ? [retractionNote(reason), body].filter(Boolean).join('\n\n') : body,
    links: linksOf(message, context).flatMap(safeLink),
    footer: footerOf(context),
    ...(cover !== undefined && { cover }),
    ...(icon !== undefined && { icon }),
  }
}

const prefixes = { alert: '', test: '[Test] ', retraction: 'Retracted: ' } as const satisfies Record<
  Delivery['kind'],
  string
>

/** The links of the message, and the page of the alert. */
function linksOf({ links = [] }: Message, { url }: AlertContext): SafeLink[] {
  return url === undefined ? links.slice(0, linksMax) : [...links.slice(0, linksMax - 1), { title: 'Alert', url }]
}

/** The network, the block, the time of the item, and the trigger. */
function footerOf({ network, block, itemAt, trigger }: AlertContext): string {
  const parts = [
    network,
    block && `block ${groupDigits(String(block.number))}`,
    itemAt && `${itemAt.toISOString().slice(0, 19).replace('T', ' ')} UTC`,
    trigger,
  ]
  return parts.flatMap((part) => cleanLine(part ?? '') || []).join(' · ')
}

function safeLink({ title, url }: { title: string; url: string }): SafeLink[] {
  const safe = safeUrl(url)
  return safe === undefined ? [] : [{ title: cleanLine(title) || new URL(safe).host, url: safe }]
}

/** The text that tells readers why an alert was retracted. */
export function retractionNote(reason: string | undefined): string {
  return `Retracted: ${cleanLine(reason ?? '') || 'its block was replaced by a reorg.'}`
}
