/** Telegram behind the Bot API of the tests: chats with members, and people who write to the bot. */
import type { BotApi } from './bot-api.ts'

export type ChatMember = { status: string } & Record<string, unknown>
export type TelegramChat = {
  id: number
  type: 'private' | 'group' | 'supergroup' | 'channel'
  title?: string
  first_name?: string
  is_forum?: boolean
  permissions?: Record<string, boolean>
  members: Map<number, ChatMember>
}
type Topic = { id: number; name: string }
type Waiting = { by: unknown; answer: (outcome: object[] | 'conflict') => void; timer: NodeJS.Timeout }

export class Telegram {
  readonly self = { id: 123456, is_bot: true, first_name: 'Tocsin', username: 'tocsin_test_bot' }
  readonly chats = new Map<number, TelegramChat>()
  /** Updates that the bot has not confirmed yet. */
  updates: { update_id: number }[] = []
  webhook: { url: string; secret_token?: string } | undefined
  conflicts = 0
  /** How often each update was delivered to the bot. */
  readonly handedOut = new Map<number, number>()
  #nextUpdate = 1000
  #waiting: Waiting | undefined

  addChat(chat: Omit<TelegramChat, 'members'>, own: ChatMember | undefined = { status: 'member' }): TelegramChat {
    const added = { ...chat, members: new Map<number, ChatMember>() }
    if (own) added.members.set(this.self.id, own)
    this.chats.set(chat.id, added)
    return added
  }

  /** Adds an update: it waits for the bot's poll, or goes to its webhook. Returns the webhook's status. */
  async happens(what: object): Promise<number | undefined> {
    const update = { update_id: this.#nextUpdate++, ...what }
    if (this.webhook) return this.#post(update)
    this.updates.push(update)
    this.#wake()
    return undefined
  }

  async #post(update: object): Promise<number> {
    const { url, secret_token: secret } = this.webhook ?? { url: '' }
    const headers = { 'content-type': 'application/json', 'x-telegram-bot-api-secret-token': secret ?? '' }
    return (await fetch(url, { method: 'POST', headers, body: JSON.stringify(update) })).status
  }

  /** Like the public API: an offset confirms earlier updates, and of two polls at once the earlier one ends with an error. */
  async getUpdates(
    { offset = 0, timeout = 0, limit = 100 }: Record<string, number>,
    by: unknown,
  ): Promise<object[] | 'conflict'> {
    this.#waiting?.answer('conflict')
    this.updates = this.updates.filter(({ update_id }) => update_id >= offset)
    if (this.updates.length > 0 || timeout === 0) return this.#hand(limit)
    const { promise, resolve } = Promise.withResolvers<object[] | 'conflict'>()
    const answer: Waiting['answer'] = (outcome) => {
      clearTimeout(waiting.timer)
      if (this.#waiting === waiting) this.#waiting = undefined
      if (outcome === 'conflict') this.conflicts++
      resolve(outcome)
    }
    const waiting: Waiting = { by, answer, timer: setTimeout(() => answer([]), timeout * 1000) }
    waiting.timer.unref()
    this.#waiting = waiting
    return promise
  }

  /** The poller closed its connection, so it must not get the next update. */
  hangUp(by?: unknown): void {
    if (by !== undefined && this.#waiting?.by !== by) return
    if (this.#waiting) clearTimeout(this.#waiting.timer)
    this.#waiting = undefined
  }

  #wake(): void {
    this.#waiting?.answer(this.#hand(100))
  }

  #hand(limit: number): object[] {
    const handed = this.updates.slice(0, limit)
    for (const { update_id: id } of handed) this.handedOut.set(id, (this.handedOut.get(id) ?? 0) + 1)
    return handed
  }
}

/** A person with a private chat with the bot. */
export function makeUser(bot: BotApi, id: number, name: string) {
  const { telegram } = bot
  const from = { id, is_bot: false, first_name: name }
  const own = telegram.addChat({ id, type: 'private', first_name: name })
  const write = (chat: TelegramChat, fields: object) => {
    const { members: _members, ...shown } = chat
    return telegram.happens({ message: { message_id: 1, date: 1, chat: shown, from, ...fields } })
  }
  return {
    id,
    says: (text: string) => write(own, { text }),
    saysIn: (chat: TelegramChat, text: string, topic?: Topic) =>
      write(chat, {
        text,
        ...(topic && {
          message_thread_id: topic.id,
          is_topic_message: true,
          reply_to_message: { message_id: topic.id, forum_topic_created: { name: topic.name, icon_color: 1 } },
        }),
      }),
    /** Presses a button of the latest keyboard and picks a chat. */
    picks: (key: string, chat: TelegramChat) =>
      write(own, { chat_shared: { request_id: requestOf(bot, id, key), chat_id: chat.id } }),
    /** The texts that the bot sent to this person. */
    heard: () => bot.messages.filter(({ chatId }) => chatId === String(id)).map(({ text }) => text),
    meets: (chat: TelegramChat, status = 'member') => void chat.members.set(id, { status }),
  }
}
export type TelegramUser = ReturnType<typeof makeUser>

type Key = { text: string; request_chat?: { request_id: number } }

function requestOf(bot: BotApi, userId: number, key: string): number {
  const markups = bot.messages
    .filter(({ chatId }) => chatId === String(userId))
    .map(({ fields }) => fields.reply_markup as { keyboard?: Key[][] } | undefined)
  const keys = markups.findLast((markup) => markup?.keyboard)?.keyboard?.flat() ?? []
  const request = keys.find(({ text }) => text === key)?.request_chat?.request_id
  if (request === undefined) throw new Error(`there is no key "${key}"`)
  return request
}
