import type { Message, User } from '../../../engine/destinations/telegram/updates.ts'
import type { SetupSessionRow } from '../../../store/alerts/setup-sessions.ts'
import { claimSession } from '../setup-sessions.ts'
import { type Choice, choose } from './choose.ts'
import type { BotDeps } from './deps.ts'
import { choiceMarkup, kindOfRequest, thisChat } from './keyboard.ts'
import { alreadyOpen, askWhere, refusals } from './sentences.ts'
import { findSession, isOpen } from './sessions.ts'

type UserMessage = Message & { from: User }
const hereWord = 'here'

/** Replies only to a user who sends a setup token or has an open setup session. */
export async function handleMessage(deps: BotDeps, message: UserMessage): Promise<void> {
  const command = await commandOf(deps, message)
  const isPrivate = message.chat.type === 'private'
  if (command?.name === 'start' && command.rest !== '' && command.rest !== hereWord)
    return openLink(deps, message, command.rest)
  if (message.chat_shared) return chosenFromList(deps, message)
  const isHere = command?.name === hereWord || (command?.name === 'start' && command.rest === hereWord)
  const isPicked = isPrivate ? message.text === thisChat : isHere
  if (isPicked) return chosenHere(deps, message)
  if (isPrivate) await remind(deps, message)
}

type Command = { name: string; rest: string }

/** Reads `/start token`, `/here` and `/here@bot`; undefined for a command to another bot. */
async function commandOf({ bot }: BotDeps, { text = '' }: UserMessage): Promise<Command | undefined> {
  const [, name = '', botName, rest = ''] = /^\/([a-z]+)(?:@(\w+))?(?:\s+(\S.*))?$/is.exec(text.trim()) ?? []
  if (name === '') return undefined
  if (botName !== undefined && botName.toLowerCase() !== (await bot.self()).username.toLowerCase()) return undefined
  return { name: name.toLowerCase(), rest: rest.trim() }
}

async function openLink(deps: BotDeps, message: UserMessage, token: string): Promise<void> {
  const { store, clock } = deps
  const user = String(message.from.id)
  const claimed = await claimSession(store, token, user, clock())
  const session = claimed.kind === 'claimed' ? claimed.session : await ownOpenSession(deps, token, user)
  if (!session) {
    const reason = claimed.kind === 'refused' ? claimed.reason : 'unknown'
    return void (await answer(deps, message, refusals[reason]))
  }
  // A link that is opened inside a group chooses that group.
  if (message.chat.type !== 'private') return chosenHere(deps, message)
  await askChoice(deps, message, session, claimed.kind === 'claimed' ? '' : `${alreadyOpen}\n\n`)
}

/** A token works once, but the user who claimed it can go on with it, in case the reply did not arrive. */
async function ownOpenSession(
  { store, clock }: BotDeps,
  token: string,
  user: string,
): Promise<SetupSessionRow | undefined> {
  const session = await store.setupSessions.findByToken(token)
  return session?.messenger_user === user && isOpen(session, clock()) ? session : undefined
}

async function askChoice(deps: BotDeps, message: UserMessage, session: SetupSessionRow, before = ''): Promise<void> {
  const { username } = await deps.bot.self()
  await deps.bot.say({ chatId: message.chat.id }, before + askWhere(username), choiceMarkup(session.id))
}

async function chosenFromList(deps: BotDeps, message: UserMessage): Promise<void> {
  const { request_id: request = 0, chat_id: chatId = 0 } = message.chat_shared ?? {}
  const session = await findSession(deps, message.from, ({ id }) => kindOfRequest(id, request) !== undefined)
  if (session) await choose(deps, session, { user: message.from, place: placeOf(message), chatId })
}

async function chosenHere(deps: BotDeps, message: UserMessage): Promise<void> {
  const session = await findSession(deps, message.from)
  if (!session) return
  const place = placeOf(message)
  const topic = message.reply_to_message?.forum_topic_created?.name
  const choice: Choice = { user: message.from, place, chatId: message.chat.id }
  if (message.chat.type === 'private') choice.chat = message.chat
  if (place.topicId !== undefined) choice.topic = { id: place.topicId, ...(topic !== undefined && { name: topic }) }
  await choose(deps, session, choice)
}

/** Repeats the question to a user with an open session who writes something else. */
async function remind(deps: BotDeps, message: UserMessage): Promise<void> {
  const session = await findSession(deps, message.from)
  if (session && isOpen(session, deps.clock())) await askChoice(deps, message, session)
}

function answer({ bot }: BotDeps, message: UserMessage, text: string): Promise<boolean> {
  return bot.say(placeOf(message), text)
}

function placeOf({ chat, message_thread_id: topicId, is_topic_message: isTopic }: UserMessage) {
  return { chatId: chat.id, ...(isTopic && topicId !== undefined && { topicId }) }
}
