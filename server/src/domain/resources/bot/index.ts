/** How the bot handles updates: messages claim and complete setup sessions, and membership changes switch resources. */

import type { Chat, Member, Update } from '../../../engine/destinations/telegram/updates.ts'
import { botRemoved } from '../readiness.ts'
import { type BotDeps, findObstacle, handleMessage } from './messages.ts'

/** Idempotent: an update that comes again after a crash changes nothing, but the sender gets the reply again. */
export async function handleUpdate(deps: BotDeps, { message, my_chat_member: membership }: Update): Promise<void> {
  if (message?.migrate_to_chat_id !== undefined) return noteMove(deps, message.chat, message.migrate_to_chat_id)
  if (message?.from && !message.from.is_bot) await handleMessage(deps, { ...message, from: message.from })
  if (membership) await noteMembership(deps, membership.chat, membership.new_chat_member)
}

/** The bot may no longer post to a chat, or may again: switches the resources that deliver there off or on. */
async function noteMembership({ store, clock }: BotDeps, chat: Chat, own: Member): Promise<void> {
  if (findObstacle(chat, own)) await store.destinations.switchOffChat('telegram', chat.id, botRemoved, clock())
  else await store.destinations.switchOnChat('telegram', chat.id, botRemoved, clock())
}

/** A group became a supergroup, which has another id: its resources deliver to the new id. */
async function noteMove({ store, clock }: BotDeps, chat: Chat, to: number): Promise<void> {
  await store.tx((store) => store.destinations.moveChat('telegram', chat.id, to, clock()))
}
