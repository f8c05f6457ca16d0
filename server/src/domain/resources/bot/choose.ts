import type { Chat, User } from '../../../engine/destinations/telegram/updates.ts'
import type { Destination } from '../../../store/alerts/resources.ts'
import type { SetupSessionRow } from '../../../store/alerts/setup-sessions.ts'
import { completeSession } from '../setup-sessions.ts'
import { summaryText } from '../summary-text.ts'
import type { BotWorld } from './index.ts'
import { noMarkup } from './keyboard.ts'
import { mayChoose, obstacleOf } from './posting.ts'
import { confirmed, confirmedPrivate, type Obstacle, obstacles, refusals } from './sentences.ts'

/** What a user picked, and where he is answered. */
export type Choice = {
  user: User
  place: { chatId: number; topicId?: number }
  chatId: number
  /** A private chat is known by its message, and needs no looking at. */
  chat?: Chat
  topic?: { id: number; name?: string }
}

/** Looked at, then stored: whatever stands in the way is said, and nothing has changed. */
export async function choose(world: BotWorld, session: SetupSessionRow, choice: Choice): Promise<void> {
  const { store, bot, clock } = world
  const found = choice.chat ?? (await lookAt(world, choice))
  if (typeof found === 'string') {
    const { username } = await bot.self()
    return void (await bot.say(choice.place, obstacles[found](username)))
  }
  const target = targetOf(found, choice)
  const outcome = await completeSession(store, session.id, String(choice.user.id), target, clock())
  if (outcome.kind === 'refused') return void (await bot.say(choice.place, refusals[outcome.reason], ownMarkup(choice)))
  await confirm(world, found, choice, target)
}

/** The chat, or what keeps the bot from posting there. */
async function lookAt({ bot }: BotWorld, { chatId, user }: Choice): Promise<Chat | Obstacle> {
  const chat = await bot.chat(chatId)
  if (!chat.ok) return 'unreachable'
  const own = await bot.member(chatId, (await bot.self()).id)
  if (!own.ok) return 'unreachable'
  const obstacle = obstacleOf(chat.value, own.value)
  if (obstacle) return obstacle
  const chooser = await bot.member(chatId, user.id)
  // Telegram tells bots that are no administrators nothing of others; in a group whoever picks it is in it.
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

async function confirm({ bot }: BotWorld, chat: Chat, choice: Choice, { summary }: Destination): Promise<void> {
  const text = chat.type === 'private' ? confirmedPrivate : confirmed(summary.title, summary.topic)
  await bot.say(choice.place, text, ownMarkup(choice))
  // Chosen in the group itself: the keys in the private chat are of no use any more.
  if (choice.place.chatId !== choice.user.id) await bot.say({ chatId: choice.user.id }, text, noMarkup)
}

/** In a private chat the keys go; in a group there are none. */
function ownMarkup({ place, user }: Choice): object | undefined {
  return place.chatId === user.id ? noMarkup : undefined
}
