import type { Chat, Member } from '../../../engine/destinations/telegram/updates.ts'
import type { Obstacle } from './sentences.ts'

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
export function mayChoose(chat: Chat, user: Member): boolean {
  if (!isPresent(user)) return false
  return chat.type !== 'channel' || user.status === 'creator' || user.status === 'administrator'
}

function isPresent({ status, is_member: isMember }: Member): boolean {
  if (status === 'left' || status === 'kicked') return false
  return status !== 'restricted' || isMember !== false
}
