import { createHash } from 'node:crypto'

/** The keyboard below the bot's question. Telegram itself lists the user's groups and channels. */

export const thisChat = 'This chat'

type Kind = 'group' | 'channel'
const channelRights = { can_post_messages: true }

export function choiceMarkup(sessionId: string): object {
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

export const noMarkup = { remove_keyboard: true }

/** Telegram's answer to a key carries its number. The number depends on the session, so a key of an older session has no effect. */
export function kindOfRequest(sessionId: string, request: number): Kind | undefined {
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
