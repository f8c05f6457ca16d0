import type { Message } from '@tocsin/contract'
import type { Delivery } from '../destination.ts'
import { escapeHtml } from '../html.ts'
import { cutText, retractionNote, type SafeMessage, safeMessage, withoutMentions } from '../safe-text.ts'

/** Telegram counts what is read, not what is written: tags and escapes are free. */
export const textMax = 4096
export const captionMax = 1024
const titleMax = 256
const buttonMax = 64

/** A message as a method of the Bot API and its fields, without the chat. */
export type TelegramCall = { method: 'sendMessage' | 'sendPhoto'; fields: Record<string, unknown> }

/** With a cover and little text, a photo; with much text, the cover above it. */
export function telegramCall(message: Message, kind: Delivery['kind'] = 'alert'): TelegramCall {
  const safe = safeMessage(message, kind)
  const { cover } = safe
  const markup = { parse_mode: 'HTML', ...buttons(safe) }
  if (cover === undefined)
    return { method: 'sendMessage', fields: { text: written(safe, textMax), ...markup, ...withoutPreview } }
  if (lengthOf(safe) <= captionMax)
    return { method: 'sendPhoto', fields: { photo: cover, caption: written(safe, captionMax), ...markup } }
  const preview = { link_preview_options: { url: cover, prefer_large_media: true, show_above_text: true } }
  return { method: 'sendMessage', fields: { text: written(safe, textMax), ...markup, ...preview } }
}

/** The same without anything that Telegram could object to: a picture it cannot load, a button it does not like. */
export function plainCall(message: Message, kind: Delivery['kind']): TelegramCall {
  const { title, body, links } = safeMessage(message, kind)
  const lines = [title, body, ...links.map((link) => `${link.title}: ${link.url}`)].filter(Boolean)
  const text = cutText(withoutMentions(lines.join('\n\n')), textMax)
  return { method: 'sendMessage', fields: { text, ...withoutPreview } }
}

/** What stands in the place of an alert that no longer holds. */
export function retractedText(message: Message, reason: string | undefined, max: number): string {
  const { title, body } = safeMessage(message, 'retraction')
  const note = cutText(withoutMentions(retractionNote(reason)), 300)
  const short = cutText(withoutMentions(title), titleMax)
  const rest = cutText(withoutMentions(body), Math.max(0, max - note.length - short.length - 4))
  const struck = rest === '' ? '' : `\n\n<s>${escapeHtml(rest)}</s>`
  return `<b>${escapeHtml(note)}</b>\n\n<s>${escapeHtml(short)}</s>${struck}`
}

const withoutPreview = { link_preview_options: { is_disabled: true } }

function written({ title, body }: SafeMessage, max: number): string {
  const short = cutText(withoutMentions(title), titleMax)
  const rest = cutText(withoutMentions(body), max - short.length - 2)
  return rest === '' ? `<b>${escapeHtml(short)}</b>` : `<b>${escapeHtml(short)}</b>\n\n${escapeHtml(rest)}`
}

function lengthOf({ title, body }: SafeMessage): number {
  return Math.min(withoutMentions(title).length, titleMax) + 2 + withoutMentions(body).length
}

function buttons({ links }: SafeMessage): { reply_markup?: object } {
  if (links.length === 0) return {}
  const rows = links.map(({ title, url }) => [{ text: cutText(withoutMentions(title), buttonMax), url }])
  return { reply_markup: { inline_keyboard: rows } }
}
