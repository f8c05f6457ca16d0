import { cutText } from '../../base/clean-text.ts'
import { sentFromError } from '../answers.ts'
import type { Delivery, Destination, DestinationDeps, Sent, Target } from '../destination.ts'
import { escapeHtml } from '../html.ts'
import { messageOf } from '../read-message.ts'
import { disableMentions, retractionNote, type SafeMessage, safeMessage } from '../safe-text.ts'
import type { TelegramAnswer, TelegramApi } from './api.ts'
import { telegramGuide, telegramSubmission } from './setup.ts'

/** Telegram's error texts for a chat that refuses all messages until somebody changes it. */
const goneErrors =
  /chat not found|not enough rights|have no rights|need administrator rights|CHAT_WRITE_FORBIDDEN|TOPIC_(CLOSED|DELETED)|message thread not found|user is deactivated|CHAT_RESTRICTED|PEER_ID_INVALID/i

export const telegramService = { variable: 'TELEGRAM_API_URL', url: 'https://api.telegram.org' }

/** Sends a message of the bot to the chat or topic of the setup. A retraction edits the message. */
export const telegram: Destination = {
  blueprint: 'common.delivery.telegram',
  title: 'Telegram',
  description: 'Posts to a Telegram chat, group, channel or topic that the bot has confirmed.',
  glyph: { icon: 'plane', colour: '#1f78b4' },
  missing: ({ telegram }) => (telegram ? [] : ['TELEGRAM_BOT_TOKEN']),
  service: telegramService,
  external: true,
  serviceName: 'telegram',
  submission: telegramSubmission,
  guide: telegramGuide,
  ordered: true,
  atOnce: 1,
  limits: (target) => [
    { key: `telegram ${target.private.chatId}`, everyMs: 1000, burst: 1 },
    { key: 'telegram', everyMs: 1000 / 30, burst: 30 },
  ],
  preview(message, context) {
    const safe = safeMessage({ message, context, kind: 'alert' })
    return { body: telegramCall(safe), shown: partsOf(safe, textMax) }
  },
  send: (delivery, target, deps) => withBot(target, deps, (bot, chat) => send(bot, chat, delivery)),
  retract: (delivery, target, deps) => withBot(target, deps, (bot, chat) => retract(bot, chat, delivery)),
}

type Chat = { chat_id: string | number; message_thread_id?: number }

async function withBot(
  target: Target,
  deps: DestinationDeps,
  work: (bot: TelegramApi, chat: Chat) => Promise<Sent>,
): Promise<Sent> {
  const chat = chatOf(target)
  if (!deps.telegram) return { kind: 'never', reason: 'The operator has not configured a Telegram bot.' }
  if (!chat) return { kind: 'gone', reason: 'The setup has no chat.' }
  try {
    return await work(deps.telegram, chat)
  } catch (error) {
    return sentFromError(error)
  }
}

function chatOf({ private: { chatId, topicId } }: Target): Chat | undefined {
  if (typeof chatId !== 'string' && typeof chatId !== 'number') return undefined
  return { chat_id: chatId, ...(typeof topicId === 'number' && { message_thread_id: topicId }) }
}

async function send(bot: TelegramApi, chat: Chat, delivery: Delivery): Promise<Sent> {
  const safe = safeMessage({ ...delivery, message: messageOf(delivery) })
  const first = inReply(telegramCall(safe), delivery)
  const { answer, chat: reached } = await callInChat(bot, chat, first)
  if (answer.ok || answer.status !== 400 || goneErrors.test(answer.description)) return sentFromTelegram(answer, first)
  const second = inReply(plainCall(safe), delivery)
  return sentFromTelegram((await callInChat(bot, reached, second)).answer, second)
}

/** A resolved alert replies to the message of the firing one. Telegram ignores a message that was deleted. */
function inReply({ method, fields }: TelegramCall, { context, reference }: Delivery): TelegramCall {
  const { messageId } = reference ?? {}
  if (context.state !== 'resolved' || typeof messageId !== 'number') return { method, fields }
  return {
    method,
    fields: { ...fields, reply_parameters: { message_id: messageId, allow_sending_without_reply: true } },
  }
}

/** If a group has moved to a new id, sends to the new id. */
async function callInChat(bot: TelegramApi, chat: Chat, { method, fields }: TelegramCall) {
  const answer = await bot.call(method, { ...chat, ...fields })
  if (answer.ok || answer.migratedTo === undefined) return { answer, chat }
  const newChat = { ...chat, chat_id: answer.migratedTo }
  return { answer: await bot.call(method, { ...newChat, ...fields }), chat: newChat }
}

async function retract(bot: TelegramApi, chat: Chat, delivery: Delivery): Promise<Sent> {
  const { reference } = delivery
  if (typeof reference?.messageId !== 'number') return sendRetraction(bot, chat, delivery)
  const isPhoto = reference.isPhoto === true
  const text = retractedText(delivery, isPhoto ? captionMax : textMax)
  const edit = isPhoto ? { caption: text } : { text, link_preview_options: { is_disabled: true } }
  const fields = { chat_id: chat.chat_id, message_id: reference.messageId, parse_mode: 'HTML', ...edit }
  const answer = await bot.call(isPhoto ? 'editMessageCaption' : 'editMessageText', fields)
  if (answer.ok || /not modified/i.test(answer.description)) return { kind: 'sent', status: answer.status }
  // The message is too old to edit, or deleted: the retraction is a new message.
  if (answer.status === 400 && !goneErrors.test(answer.description)) return sendRetraction(bot, chat, delivery)
  return sentFromTelegram(answer)
}

async function sendRetraction(bot: TelegramApi, chat: Chat, delivery: Delivery): Promise<Sent> {
  const fields = { text: retractedText(delivery, textMax), parse_mode: 'HTML' }
  return sentFromTelegram((await callInChat(bot, chat, { method: 'sendMessage', fields })).answer)
}

function sentFromTelegram(answer: TelegramAnswer, call?: TelegramCall): Sent {
  const { ok, status, description, result, retryAfterMs } = answer
  const reason = `Telegram answered ${status}${description === '' ? '' : `: ${description.slice(0, 200)}`}`
  if (ok) {
    const { message_id: messageId } = result
    const reference = { messageId, isPhoto: call?.method === 'sendPhoto' }
    return { kind: 'sent', status, ...(typeof messageId === 'number' && { reference }) }
  }
  if (status === 429) return { kind: 'later', status, reason, afterMs: retryAfterMs ?? 5_000 }
  if (status === 403 || (status === 400 && goneErrors.test(description))) return { kind: 'gone', status, reason }
  return status === 400 ? { kind: 'never', status, reason } : { kind: 'later', status, reason }
}

/** Telegram counts the visible text; tags and escapes do not count. */
const textMax = 4096
const captionMax = 1024
const titleMax = 256
const footerMax = 256
const buttonMax = 64

/** A method of the Bot API and its fields, without the chat. */
type TelegramCall = { method: 'sendMessage' | 'sendPhoto'; fields: Record<string, unknown> }

/** A cover with short text becomes a photo with a caption; with long text it becomes a link preview above the text. */
function telegramCall(safe: SafeMessage): TelegramCall {
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
function plainCall({ title, body, links, footer }: SafeMessage): TelegramCall {
  const lines = [title, body, footer, ...links.map((link) => `${link.title}: ${link.url}`)].filter(Boolean)
  const text = cutText(disableMentions(lines.join('\n\n')), textMax)
  return { method: 'sendMessage', fields: { text, ...withoutPreview } }
}

/** The text that replaces a retracted alert. */
function retractedText(delivery: Delivery, max: number): string {
  const safe = safeMessage({ ...delivery, message: messageOf(delivery), kind: 'alert' })
  const note = cutText(disableMentions(retractionNote(delivery.reason)), 300)
  const { title, text, footer } = partsOf(safe, max - note.length - 2)
  const struck = [title, text].filter(Boolean).map((part) => `<s>${escapeHtml(part)}</s>`)
  return [`<b>${escapeHtml(note)}</b>`, ...struck, escapeHtml(footer)].filter(Boolean).join('\n\n')
}

const withoutPreview = { link_preview_options: { is_disabled: true } }

/** The texts of the message before they are escaped. Links are buttons. */
function partsOf({ title, body, links, footer }: SafeMessage, max: number) {
  const short = cutText(disableMentions(title), titleMax)
  const where = cutText(disableMentions(footer), footerMax)
  return {
    title: short,
    text: cutText(disableMentions(body), Math.max(0, max - short.length - where.length - 4)),
    footer: where,
    links: links.map(({ title, url }) => ({ title: cutText(disableMentions(title), buttonMax), url })),
  }
}

function htmlText(safe: SafeMessage, max: number): string {
  const { title, text, footer } = partsOf(safe, max)
  return [`<b>${escapeHtml(title)}</b>`, escapeHtml(text), escapeHtml(footer)].filter(Boolean).join('\n\n')
}

function lengthOf({ title, body, footer }: SafeMessage): number {
  const [head, end] = [disableMentions(title).length, disableMentions(footer).length]
  return Math.min(head, titleMax) + 4 + Math.min(end, footerMax) + disableMentions(body).length
}

function buttons(safe: SafeMessage): { reply_markup?: object } {
  const { links } = partsOf(safe, textMax)
  if (links.length === 0) return {}
  return { reply_markup: { inline_keyboard: links.map(({ title, url }) => [{ text: title, url }]) } }
}
