/** What the bot does with what people tell it: setup sessions are claimed and completed, chats come and go. */
import type { Bot } from '../../../engine/destinations/telegram/bot.ts'
import type { Update } from '../../../engine/destinations/telegram/updates.ts'
import type { Store } from '../../../store/index.ts'
import { noteMembership, noteMove } from './membership.ts'
import { heed } from './messages.ts'

export type BotWorld = { store: Store; bot: Bot; clock: () => Date }

/** An update that comes again, after a crash, changes nothing; whoever sent it is answered once more. */
export async function handleUpdate(world: BotWorld, { message, my_chat_member: membership }: Update): Promise<void> {
  if (message?.migrate_to_chat_id !== undefined) return noteMove(world, message.chat, message.migrate_to_chat_id)
  if (message?.from && !message.from.is_bot) await heed(world, { ...message, from: message.from })
  if (membership) await noteMembership(world, membership.chat, membership.new_chat_member)
}
