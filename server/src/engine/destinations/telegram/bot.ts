import { waitAtMost } from '../../base/deadline.ts'
import type { TelegramAnswer, TelegramApi } from './api.ts'
import { type Chat, type Member, readChat, readMember } from './updates.ts'

export type BotSelf = { id: number; username: string }
/** Telegram's answer, or its reason for a refusal. */
export type BotAnswer<T> = { ok: true; value: T } | { ok: false; reason: string }

export type Bot = {
  /** Fetched once. Throws if Telegram cannot be reached. */
  self(): Promise<BotSelf>
  /** Undefined if Telegram does not answer soon: a user who only wants a link must not wait. */
  username(): Promise<string | undefined>
  chat(id: number): Promise<BotAnswer<Chat>>
  member(chatId: number, userId: number): Promise<BotAnswer<Member>>
  /** Returns false if the chat refuses the message. Throws if Telegram cannot be reached. */
  say(place: { chatId: number; topicId?: number | undefined }, text: string, markup?: object): Promise<boolean>
}

const nameWaitMs = 2_000
const nameRetryMs = 30_000
const waitMaxMs = 10_000
const triesMax = 3

export function makeBot(api: TelegramApi): Bot {
  let known: Promise<BotSelf> | undefined
  let noNameUntilMs = 0
  const self = () => {
    known ??= fetchSelf(api).catch((error: unknown) => {
      known = undefined
      throw error
    })
    return known
  }
  return {
    self,
    async username() {
      if (performance.now() < noNameUntilMs) return undefined
      const own = await waitAtMost(self(), nameWaitMs).catch(() => undefined)
      if (!own) noNameUntilMs = performance.now() + nameRetryMs
      return own?.username
    },
    async chat(id) {
      return answerOf(await callWithRetry(api, 'getChat', { chat_id: id }), readChat)
    },
    async member(chatId, userId) {
      return answerOf(await callWithRetry(api, 'getChatMember', { chat_id: chatId, user_id: userId }), readMember)
    },
    async say({ chatId, topicId }, text, markup) {
      const thread = topicId === undefined ? {} : { message_thread_id: topicId }
      const fields = { chat_id: chatId, ...thread, text, link_preview_options: { is_disabled: true } }
      const { ok } = await callWithRetry(api, 'sendMessage', { ...fields, ...(markup && { reply_markup: markup }) })
      return ok
    },
  }
}

async function fetchSelf(api: TelegramApi): Promise<BotSelf> {
  const { ok, status, result } = await api.call('getMe', {})
  if (!ok || typeof result.id !== 'number' || typeof result.username !== 'string')
    throw new Error(`Telegram did not return the bot's name (${status}).`)
  return { id: result.id, username: result.username }
}

/** Waits for short flood limits and repeats the call. Throws if the server fails, so that the caller retries later. */
async function callWithRetry(api: TelegramApi, method: string, fields: object): Promise<TelegramAnswer> {
  for (let tries = 1; ; tries++) {
    const answer = await api.call(method, fields)
    if (answer.status >= 500) throw new Error(`Telegram answered ${answer.status} to ${method}.`)
    const { retryAfterMs } = answer
    if (retryAfterMs === undefined || retryAfterMs > waitMaxMs || tries === triesMax) return answer
    await new Promise((resolve) => setTimeout(resolve, retryAfterMs))
  }
}

function answerOf<T>({ ok, result, description }: TelegramAnswer, read: (value: unknown) => T | undefined) {
  const value = ok ? read(result) : undefined
  if (value === undefined) return { ok: false as const, reason: description }
  return { ok: true as const, value }
}
