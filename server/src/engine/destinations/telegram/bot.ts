import { waitAtMost } from '../../base/deadline.ts'
import type { TelegramAnswer, TelegramApi } from './api.ts'
import { type Chat, type Member, readChat, readMember } from './updates.ts'

export type BotSelf = { id: number; username: string }
/** What Telegram knows, or its own words for why it does not say. */
export type BotAnswer<T> = { ok: true; value: T } | { ok: false; reason: string }

export type Bot = {
  /** Asked once; throws while Telegram cannot be reached. */
  self(): Promise<BotSelf>
  /** Undefined while Telegram does not say: people who only want a link do not wait for it. */
  username(): Promise<string | undefined>
  chat(id: number): Promise<BotAnswer<Chat>>
  member(chatId: number, userId: number): Promise<BotAnswer<Member>>
  /** False when the chat does not take it; throws when Telegram cannot be reached. */
  say(place: { chatId: number; topicId?: number | undefined }, text: string, markup?: object): Promise<boolean>
}

const nameWaitMs = 2_000
const nameRestMs = 30_000
const waitMaxMs = 10_000
const triesMax = 3

export function makeBot(api: TelegramApi): Bot {
  let known: Promise<BotSelf> | undefined
  let silentUntilMs = 0
  const self = () => {
    known ??= askSelf(api).catch((error: unknown) => {
      known = undefined
      throw error
    })
    return known
  }
  return {
    self,
    async username() {
      if (performance.now() < silentUntilMs) return undefined
      const found = await waitAtMost(self(), nameWaitMs).catch(() => undefined)
      if (!found) silentUntilMs = performance.now() + nameRestMs
      return found?.username
    },
    async chat(id) {
      return answerOf(await patiently(api, 'getChat', { chat_id: id }), readChat)
    },
    async member(chatId, userId) {
      return answerOf(await patiently(api, 'getChatMember', { chat_id: chatId, user_id: userId }), readMember)
    },
    async say({ chatId, topicId }, text, markup) {
      const thread = topicId === undefined ? {} : { message_thread_id: topicId }
      const fields = { chat_id: chatId, ...thread, text, link_preview_options: { is_disabled: true } }
      const { ok } = await patiently(api, 'sendMessage', { ...fields, ...(markup && { reply_markup: markup }) })
      return ok
    },
  }
}

async function askSelf(api: TelegramApi): Promise<BotSelf> {
  const { ok, status, result } = await api.call('getMe', {})
  if (!ok || typeof result.id !== 'number' || typeof result.username !== 'string')
    throw new Error(`Telegram does not say who the bot is (${status}).`)
  return { id: result.id, username: result.username }
}

/** Flood limits are waited for, as far as anybody would wait for an answer. A server that fails is asked again later. */
async function patiently(api: TelegramApi, method: string, fields: object): Promise<TelegramAnswer> {
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
