import type { Chat, User } from '../../../engine/destinations/telegram/updates.ts'
import type { Destination } from '../../../store/alerts/destinations.ts'
import type { SetupSessionRow } from '../../../store/alerts/setup-sessions.ts'
import { completeSession } from '../setup-sessions.ts'
import { summaryText } from '../summary-text.ts'
import type { BotDeps } from './deps.ts'
import { noMarkup } from './keyboard.ts'
import { findObstacle, mayChoose } from './posting.ts'
import { confirmed, confirmedPrivate, type Obstacle, obstacles, refusals } from './sentences.ts'

/** The chat that a user picked, and the place where the bot replies. */
export type Choice = {
  user: User
  place: { chatId: number; topicId?: number }
  chatId: number
  /** Set for a private chat: its message says all that is needed, so the bot asks Telegram nothing. */
  chat?: Chat
  topic?: { id: number; name?: string }
}

/** Checks that the bot may post there, then completes the session. Otherwise replies why not and changes nothing. */
export async function choose(deps: BotDeps, session: SetupSessionRow, choice: Choice): Promise<void> {
  const { store, bot, clock } = deps
  const chat = choice.chat ?? (await checkChat(deps, choice))
  if (typeof chat === 'string') {
    const { username } = await bot.self()
    return void (await bot.say(choice.place, obstacles[chat](username)))
  }
  const target = targetOf(chat, choice)
  const outcome = await completeSession(store, session.id, String(choice.user.id), target, clock())
  if (outcome.kind === 'refused') return void (await bot.say(choice.place, refusals[outcome.reason], ownMarkup(choice)))
  await confirm(deps, chat, choice, target)
}

/** The chat, or the reason why the bot may not post there. */
async function checkChat({ bot }: BotDeps, { chatId, user }: Choice): Promise<Chat | Obstacle> {
  const chat = await bot.chat(chatId)
  if (!chat.ok) return 'unreachable'
  const own = await bot.member(chatId, (await bot.self()).id)
  if (!own.ok) return 'unreachable'
  const obstacle = findObstacle(chat.value, own.value)
  if (obstacle) return obstacle
  const chooser = await bot.member(chatId, user.id)
  // Telegram answers only administrator bots about other members. A user can pick only groups that they are a member of.
  const mayPick = chooser.ok ? mayChoose(chat.value, chooser.value) : chat.value.type !== 'channel'
  return mayPick ? chat.value : 'foreign'
}

function targetOf(chat: Chat, { topic }: Choice): Destination {
  const topicName = topic && (summaryText(topic.name) ?? 'Topic')
  const person = [chat.first_name, chat.last_name].filter(Boolean).join(' ')
  return {
    private: { chatId: chat.id, ...(topic && { topicId: topic.id }) },
    summary: {
      service: 'telegram',
      title: summaryText(chat.title ?? person) ?? 'Telegram',
      kind: chat.type,
      ...(topicName && { topic: topicName }),
    },
  }
}

async function confirm({ bot }: BotDeps, chat: Chat, choice: Choice, { summary }: Destination): Promise<void> {
  const text = chat.type === 'private' ? confirmedPrivate : confirmed(summary.title, summary.topic)
  await bot.say(choice.place, text, ownMarkup(choice))
  // The user chose inside a group: remove the keyboard from the private chat.
  if (choice.place.chatId !== choice.user.id) await bot.say({ chatId: choice.user.id }, text, noMarkup)
}

/** Removes the keyboard in a private chat. A group has none. */
function ownMarkup({ place, user }: Choice): object | undefined {
  return place.chatId === user.id ? noMarkup : undefined
}
