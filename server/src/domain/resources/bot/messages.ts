import type { Message, User } from '../../../engine/destinations/telegram/updates.ts'
import type { SetupSessionRow } from '../../../store/alerts/setup-sessions.ts'
import { claimSession } from '../setup-sessions.ts'
import { type Choice, choose } from './choose.ts'
import type { BotWorld } from './index.ts'
import { choiceMarkup, kindOfRequest, thisChat } from './keyboard.ts'
import { alreadyOpen, askWhere, refusals } from './sentences.ts'
import { findSession, isOpen } from './sessions.ts'

type Said = Message & { from: User }
const hereWord = 'here'

/** Whoever has no setup under way is not answered, unless he brings a token. */
export async function heed(world: BotWorld, message: Said): Promise<void> {
  const command = await commandOf(world, message)
  const isPrivate = message.chat.type === 'private'
  if (command?.name === 'start' && command.rest !== '' && command.rest !== hereWord)
    return openLink(world, message, command.rest)
  if (message.chat_shared) return chosenFromList(world, message)
  const isHere = command?.name === hereWord || (command?.name === 'start' && command.rest === hereWord)
  const isPicked = isPrivate ? message.text === thisChat : isHere
  if (isPicked) return chosenHere(world, message)
  if (isPrivate) await remind(world, message)
}

type Command = { name: string; rest: string }

/** `/start token`, `/here`, `/here@bot`; undefined for what is said to another bot. */
async function commandOf({ bot }: BotWorld, { text = '' }: Said): Promise<Command | undefined> {
  const [, name = '', whom, rest = ''] = /^\/([a-z]+)(?:@(\w+))?(?:\s+(\S.*))?$/is.exec(text.trim()) ?? []
  if (name === '') return undefined
  if (whom !== undefined && whom.toLowerCase() !== (await bot.self()).username.toLowerCase()) return undefined
  return { name: name.toLowerCase(), rest: rest.trim() }
}

async function openLink(world: BotWorld, message: Said, token: string): Promise<void> {
  const { store, clock } = world
  const user = String(message.from.id)
  const claimed = await claimSession(store, token, user, clock())
  const session = claimed.kind === 'claimed' ? claimed.session : await ownOpenSession(world, token, user)
  if (!session) {
    const reason = claimed.kind === 'refused' ? claimed.reason : 'unknown'
    return void (await answer(world, message, refusals[reason]))
  }
  // Opened from within a group, the link says by itself which chat is meant.
  if (message.chat.type !== 'private') return chosenHere(world, message)
  await askChoice(world, message, session, claimed.kind === 'claimed' ? '' : `${alreadyOpen}\n\n`)
}

/** The token is used up; but he who used it, and was perhaps not answered, can go on. */
async function ownOpenSession(
  { store, clock }: BotWorld,
  token: string,
  user: string,
): Promise<SetupSessionRow | undefined> {
  const session = await store.setupSessions.findByToken(token)
  return session?.messenger_user === user && isOpen(session, clock()) ? session : undefined
}

async function askChoice(world: BotWorld, message: Said, session: SetupSessionRow, before = ''): Promise<void> {
  const { username } = await world.bot.self()
  await world.bot.say({ chatId: message.chat.id }, before + askWhere(username), choiceMarkup(session.id))
}

async function chosenFromList(world: BotWorld, message: Said): Promise<void> {
  const { request_id: request = 0, chat_id: chatId = 0 } = message.chat_shared ?? {}
  const session = await findSession(world, message.from, ({ id }) => kindOfRequest(id, request) !== undefined)
  if (session) await choose(world, session, { user: message.from, place: placeOf(message), chatId })
}

async function chosenHere(world: BotWorld, message: Said): Promise<void> {
  const session = await findSession(world, message.from)
  if (!session) return
  const place = placeOf(message)
  const topic = message.reply_to_message?.forum_topic_created?.name
  const choice: Choice = { user: message.from, place, chatId: message.chat.id }
  if (message.chat.type === 'private') choice.chat = message.chat
  if (place.topicId !== undefined) choice.topic = { id: place.topicId, ...(topic !== undefined && { name: topic }) }
  await choose(world, session, choice)
}

/** Whoever is in the middle of it and writes something else is asked again. */
async function remind(world: BotWorld, message: Said): Promise<void> {
  const session = await findSession(world, message.from)
  if (session && isOpen(session, world.clock())) await askChoice(world, message, session)
}

function answer({ bot }: BotWorld, message: Said, text: string): Promise<boolean> {
  return bot.say(placeOf(message), text)
}

function placeOf({ chat, message_thread_id: topicId, is_topic_message: isTopic }: Said) {
  return { chatId: chat.id, ...(isTopic && topicId !== undefined && { topicId }) }
}
