import { createHash } from 'node:crypto'
import type { Bot } from '../../../engine/destinations/telegram/bot.ts'
import type { Chat, Member, Message, User } from '../../../engine/destinations/telegram/updates.ts'
import type { Destination } from '../../../store/alerts/destinations.ts'
import type { SetupSessionRow } from '../../../store/alerts/setup-sessions.ts'
import type { Store } from '../../../store/index.ts'
import { summaryText } from '../external.ts'
import { claimSession, completeSession, lifetimeMs } from '../setup-sessions.ts'
import { alreadyOpen, askWhere, confirmed, confirmedPrivate, type Obstacle, obstacles, refusals } from './sentences.ts'

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

const sessionsMax = 20

/**
 * Finds the latest session that the user claimed and that fits. For 15 minutes after its end a session is still found,
 * so that the bot can say why it ended.
 */
async function findSession(
  { store, clock }: BotDeps,
  user: User,
  fits: (session: SetupSessionRow) => boolean = () => true,
): Promise<SetupSessionRow | undefined> {
  const now = clock()
  const recent = (await store.setupSessions.listClaimedBy(String(user.id), sessionsMax)).filter(
    (session) => fits(session) && now.getTime() - session.expires_at.getTime() < lifetimeMs,
  )
  return recent.find((session) => isOpen(session, now)) ?? recent[0]
}

function isOpen({ status, expires_at: expiresAt }: SetupSessionRow, now: Date): boolean {
  return status === 'claimed' && expiresAt > now
}

/** The chat that a user picked, and the place where the bot replies. */
type Choice = {
  user: User
  place: { chatId: number; topicId?: number }
  chatId: number
  /** Set for a private chat: its message says all that is needed, so the bot asks Telegram nothing. */
  chat?: Chat
  topic?: { id: number; name?: string }
}

/** Checks that the bot may post there, then completes the session. Otherwise replies why not and changes nothing. */
async function choose(deps: BotDeps, session: SetupSessionRow, choice: Choice): Promise<void> {
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

/** The keyboard below the bot's question. Telegram itself lists the user's groups and channels. */

const thisChat = 'This chat'

type Kind = 'group' | 'channel'
const channelRights = { can_post_messages: true }

function choiceMarkup(sessionId: string): object {
  const group = { request_id: requestId(sessionId, 'group'), chat_is_channel: false }
  const channel = {
    request_id: requestId(sessionId, 'channel'),
    chat_is_channel: true,
    // Only a user who may post to a channel may let the bot post there.
    user_administrator_rights: rights,
    bot_administrator_rights: rights,
  }
  const keyboard = [
    [{ text: thisChat }],
    [{ text: 'A group', request_chat: group }],
    [{ text: 'A channel', request_chat: channel }],
  ]
  return { keyboard, resize_keyboard: true, one_time_keyboard: true }
}

const noMarkup = { remove_keyboard: true }

/** Telegram's answer to a key carries its number. The number depends on the session, so a key of an older session has no effect. */
function kindOfRequest(sessionId: string, request: number): Kind | undefined {
  return (['group', 'channel'] as const).find((kind) => requestId(sessionId, kind) === request)
}

function requestId(sessionId: string, kind: Kind): number {
  return createHash('sha256').update(`${sessionId} ${kind}`).digest().readUInt32BE() >>> 1
}

/** Telegram requires every right to be named. */
const rights = {
  is_anonymous: false,
  can_manage_chat: false,
  can_delete_messages: false,
  can_manage_video_chats: false,
  can_restrict_members: false,
  can_promote_members: false,
  can_change_info: false,
  can_invite_users: false,
  can_post_stories: false,
  can_edit_stories: false,
  can_delete_stories: false,
  ...channelRights,
}

/** What every part of the bot needs. */
export type BotDeps = { store: Store; bot: Bot; clock: () => Date }

/** The reason why the bot may not post to a chat; undefined if it may. `own` is the bot's membership. */
export function findObstacle(chat: Chat, own: Member): Obstacle | undefined {
  if (!isPresent(own)) return 'absent'
  if (own.status === 'creator') return undefined
  if (chat.type === 'channel') return own.can_post_messages === true ? undefined : 'unposting'
  if (own.status === 'administrator') return undefined
  const maySend = own.status === 'restricted' ? own.can_send_messages : chat.permissions?.can_send_messages
  return maySend === false ? 'silenced' : undefined
}

/** A user who may not post to a chat must not let the bot post there. */
function mayChoose(chat: Chat, user: Member): boolean {
  if (!isPresent(user)) return false
  return chat.type !== 'channel' || user.status === 'creator' || user.status === 'administrator'
}

function isPresent({ status, is_member: isMember }: Member): boolean {
  if (status === 'left' || status === 'kicked') return false
  return status !== 'restricted' || isMember !== false
}
