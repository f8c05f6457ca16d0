import type { Message } from '@tocsin/contract'
import type { Delivery } from '../destination.ts'
import { escapeHtml } from '../html.ts'
import { messageOf } from '../read-message.ts'
import {
  cutText,
  disableMentions,
  retractionNote,
  type SafeMessage,
  type ShownContext,
  safeMessage,
} from '../safe-text.ts'

/** Telegram counts the visible text; tags and escapes do not count. */
export const textMax = 4096
export const captionMax = 1024
const titleMax = 256
const buttonMax = 64

/** A method of the Bot API and its fields, without the chat. */
export type TelegramCall = { method: 'sendMessage' | 'sendPhoto'; fields: Record<string, unknown> }

/** A cover with short text becomes a photo with a caption; with long text it becomes a link preview above the text. */
export function telegramCall(message: Message, kind: Delivery['kind'], context: ShownContext): TelegramCall {
  const safe = safeMessage(message, kind, context)
  const { cover } = safe
  const markup = { parse_mode: 'HTML', ...buttons(safe) }
  if (cover === undefined)
    return { method: 'sendMessage', fields: { text: htmlText(safe, textMax), ...markup, ...withoutPreview } }
  if (lengthOf(safe) <= captionMax)
    return { method: 'sendPhoto', fields: { photo: cover, caption: htmlText(safe, captionMax), ...markup } }
  const preview = { link_preview_options: { url: cover, prefer_large_media: true, show_above_text: true } }
  return { method: 'sendMessage', fields: { text: htmlText(safe, textMax), ...markup, ...preview } }
}

/** The same message without parts that Telegram may refuse, such as images and buttons. */
export function plainCall(message: Message, kind: Delivery['kind'], context: ShownContext): TelegramCall {
  const { title, body, links } = safeMessage(message, kind, context)
  const lines = [title, body, ...links.map((link) => `${link.title}: ${link.url}`)].filter(Boolean)
  const text = cutText(disableMentions(lines.join('\n\n')), textMax)
  return { method: 'sendMessage', fields: { text, ...withoutPreview } }
}

/** The text that replaces a retracted alert. */
export function retractedText(delivery: Delivery, max: number): string {
  const { context, reason } = delivery
  const { title, body } = safeMessage(messageOf(delivery), 'retraction', context)
  const note = cutText(disableMentions(retractionNote(reason)), 300)
  const short = cutText(disableMentions(title), titleMax)
  const rest = cutText(disableMentions(body), Math.max(0, max - note.length - short.length - 4))
  const struckBody = rest === '' ? '' : `\n\n<s>${escapeHtml(rest)}</s>`
  return `<b>${escapeHtml(note)}</b>\n\n<s>${escapeHtml(short)}</s>${struckBody}`
}

const withoutPreview = { link_preview_options: { is_disabled: true } }

function htmlText({ title, body }: SafeMessage, max: number): string {
  const short = cutText(disableMentions(title), titleMax)
  const rest = cutText(disableMentions(body), max - short.length - 2)
  return rest === '' ? `<b>${escapeHtml(short)}</b>` : `<b>${escapeHtml(short)}</b>\n\n${escapeHtml(rest)}`
}

function lengthOf({ title, body }: SafeMessage): number {
  return Math.min(disableMentions(title).length, titleMax) + 2 + disableMentions(body).length
}

function buttons({ links }: SafeMessage): { reply_markup?: object } {
  if (links.length === 0) return {}
  const rows = links.map(({ title, url }) => [{ text: cutText(disableMentions(title), buttonMax), url }])
  return { reply_markup: { inline_keyboard: rows } }
}
