/** How the bot handles updates: messages claim and complete setup sessions, and membership changes switch resources. */
import type { Update } from '../../../engine/destinations/telegram/updates.ts'
import type { BotDeps } from './deps.ts'
import { noteMembership, noteMove } from './membership.ts'
import { handleMessage } from './messages.ts'

/** Idempotent: an update that comes again after a crash changes nothing, but the sender gets the reply again. */
export async function handleUpdate(deps: BotDeps, { message, my_chat_member: membership }: Update): Promise<void> {
  if (message?.migrate_to_chat_id !== undefined) return noteMove(deps, message.chat, message.migrate_to_chat_id)
  if (message?.from && !message.from.is_bot) await handleMessage(deps, { ...message, from: message.from })
  if (membership) await noteMembership(deps, membership.chat, membership.new_chat_member)
}
