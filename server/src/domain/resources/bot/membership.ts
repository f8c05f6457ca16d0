import type { Chat, Member } from '../../../engine/destinations/telegram/updates.ts'
import { botRemoved } from '../remarks.ts'
import type { BotWorld } from './index.ts'
import { obstacleOf } from './posting.ts'

/** The bot was removed from a chat, blocked or silenced, or let in again: what delivers there follows. */
export async function noteMembership({ store, clock }: BotWorld, chat: Chat, own: Member): Promise<void> {
  if (obstacleOf(chat, own)) await store.resources.switchOffChat('telegram', chat.id, botRemoved, clock())
  else await store.resources.switchOnChat('telegram', chat.id, botRemoved, clock())
}

/** A group has become a supergroup: what delivers there goes where it went. */
export async function noteMove({ store, clock }: BotWorld, chat: Chat, to: number): Promise<void> {
  await store.tx((store) => store.resources.moveChat('telegram', chat.id, to, clock()))
}
