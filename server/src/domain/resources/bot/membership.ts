import type { Chat, Member } from '../../../engine/destinations/telegram/updates.ts'
import { botRemoved } from '../remarks.ts'
import type { BotDeps } from './deps.ts'
import { findObstacle } from './posting.ts'

/** The bot may no longer post to a chat, or may again: switches the resources that deliver there off or on. */
export async function noteMembership({ store, clock }: BotDeps, chat: Chat, own: Member): Promise<void> {
  if (findObstacle(chat, own)) await store.destinations.switchOffChat('telegram', chat.id, botRemoved, clock())
  else await store.destinations.switchOnChat('telegram', chat.id, botRemoved, clock())
}

/** A group became a supergroup, which has another id: its resources deliver to the new id. */
export async function noteMove({ store, clock }: BotDeps, chat: Chat, to: number): Promise<void> {
  await store.tx((store) => store.destinations.moveChat('telegram', chat.id, to, clock()))
}
