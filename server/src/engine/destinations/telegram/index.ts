import { sentFromError } from '../answers.ts'
import type { Delivery, Destination, DestinationDeps, Sent, Target } from '../destination.ts'
import { messageOf } from '../read-message.ts'
import type { TelegramAnswer, TelegramApi } from './api.ts'
import { captionMax, plainCall, retractedText, type TelegramCall, telegramCall, textMax } from './message.ts'

/** Telegram's own words; a chat that says so will not take anything until somebody changes it. */
const goneWords =
  /chat not found|not enough rights|have no rights|need administrator rights|CHAT_WRITE_FORBIDDEN|TOPIC_(CLOSED|DELETED)|message thread not found|user is deactivated|CHAT_RESTRICTED|PEER_ID_INVALID/i

/** A message of the bot in the chat or topic that the setup confirmed. A retraction edits it. */
export const telegram: Destination = {
  blueprint: 'common.delivery.telegram',
  ordered: true,
  atOnce: 1,
  limits: (target) => [
    { key: `telegram ${target.private.chatId}`, everyMs: 1000, burst: 1 },
    { key: 'telegram', everyMs: 1000 / 30, burst: 30 },
  ],
  preview: (message) => telegramCall(message),
  send: (delivery, target, world) => withBot(target, world, (bot, chat) => send(bot, chat, delivery)),
  retract: (delivery, target, world) => withBot(target, world, (bot, chat) => retract(bot, chat, delivery)),
}

type Chat = { chat_id: string | number; message_thread_id?: number }

async function withBot(
  target: Target,
  world: DestinationDeps,
  work: (bot: TelegramApi, chat: Chat) => Promise<Sent>,
): Promise<Sent> {
  const chat = chatOf(target)
  if (!world.telegram) return { kind: 'never', reason: 'The operator has set up no Telegram bot.' }
  if (!chat) return { kind: 'gone', reason: 'Its setup names no chat.' }
  try {
    return await work(world.telegram, chat)
  } catch (error) {
    return sentFromError(error)
  }
}

function chatOf({ private: { chatId, topicId } }: Target): Chat | undefined {
  if (typeof chatId !== 'string' && typeof chatId !== 'number') return undefined
  return { chat_id: chatId, ...(typeof topicId === 'number' && { message_thread_id: topicId }) }
}

async function send(bot: TelegramApi, chat: Chat, delivery: Delivery): Promise<Sent> {
  const { kind } = delivery
  const message = messageOf(delivery)
  const first = telegramCall(message, kind)
  const { answer, chat: reached } = await callIn(bot, chat, first)
  if (answer.ok || answer.status !== 400 || goneWords.test(answer.description)) return sentByTelegram(answer, first)
  const second = plainCall(message, kind)
  return sentByTelegram((await callIn(bot, reached, second)).answer, second)
}

/** A group that moved is followed to where it went. */
async function callIn(bot: TelegramApi, chat: Chat, { method, fields }: TelegramCall) {
  const answer = await bot.call(method, { ...chat, ...fields })
  if (answer.ok || answer.migratedTo === undefined) return { answer, chat }
  const moved = { ...chat, chat_id: answer.migratedTo }
  return { answer: await bot.call(method, { ...moved, ...fields }), chat: moved }
}

async function retract(bot: TelegramApi, chat: Chat, delivery: Delivery): Promise<Sent> {
  const { reason, reference } = delivery
  if (typeof reference?.messageId !== 'number') return tell(bot, chat, delivery)
  const isPhoto = reference.isPhoto === true
  const text = retractedText(messageOf(delivery), reason, isPhoto ? captionMax : textMax)
  const edit = isPhoto ? { caption: text } : { text, link_preview_options: { is_disabled: true } }
  const fields = { chat_id: chat.chat_id, message_id: reference.messageId, parse_mode: 'HTML', ...edit }
  const answer = await bot.call(isPhoto ? 'editMessageCaption' : 'editMessageText', fields)
  if (answer.ok || /not modified/i.test(answer.description)) return { kind: 'sent', status: answer.status }
  // Too old to be edited, or deleted: the correction comes as a message.
  if (answer.status === 400 && !goneWords.test(answer.description)) return tell(bot, chat, delivery)
  return sentByTelegram(answer)
}

async function tell(bot: TelegramApi, chat: Chat, delivery: Delivery): Promise<Sent> {
  const fields = { text: retractedText(messageOf(delivery), delivery.reason, textMax), parse_mode: 'HTML' }
  return sentByTelegram((await callIn(bot, chat, { method: 'sendMessage', fields })).answer)
}

function sentByTelegram(answer: TelegramAnswer, call?: TelegramCall): Sent {
  const { ok, status, description, result, retryAfterMs } = answer
  const reason = `Telegram answered ${status}${description === '' ? '' : `: ${description.slice(0, 200)}`}`
  if (ok) {
    const { message_id: messageId } = result
    const reference = { messageId, isPhoto: call?.method === 'sendPhoto' }
    return { kind: 'sent', status, ...(typeof messageId === 'number' && { reference }) }
  }
  if (status === 429) return { kind: 'later', status, reason, afterMs: retryAfterMs ?? 5_000 }
  if (status === 403 || (status === 400 && goneWords.test(description))) return { kind: 'gone', status, reason }
  return status === 400 ? { kind: 'never', status, reason } : { kind: 'later', status, reason }
}
