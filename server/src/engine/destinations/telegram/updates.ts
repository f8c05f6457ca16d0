import * as z from 'zod'

/** The path to which Telegram sends updates if the bot does not poll. */
export const webhookPath = '/api/telegram/webhook'

/** The parts of Telegram's updates that the bot uses. A part with another shape is ignored. */

const User = z.object({
  id: z.number().int(),
  is_bot: z.boolean().default(false),
  first_name: z.string().default(''),
  last_name: z.string().optional(),
})
const Chat = z.object({
  id: z.number().int(),
  type: z.enum(['private', 'group', 'supergroup', 'channel']),
  title: z.string().optional(),
  first_name: z.string().optional(),
  last_name: z.string().optional(),
  permissions: z.object({ can_send_messages: z.boolean().optional() }).optional(),
})
const Member = z.object({
  status: z.enum(['creator', 'administrator', 'member', 'restricted', 'left', 'kicked']),
  is_member: z.boolean().optional(),
  can_send_messages: z.boolean().optional(),
  can_post_messages: z.boolean().optional(),
})
const Message = z.object({
  chat: Chat,
  from: User.optional(),
  text: z.string().optional(),
  message_thread_id: z.number().int().optional(),
  is_topic_message: z.boolean().optional(),
  /** The new id of a group that became a supergroup. */
  migrate_to_chat_id: z.number().int().optional(),
  chat_shared: z.object({ request_id: z.number().int(), chat_id: z.number().int() }).optional(),
  /** All messages in a topic reply to the message that created it. */
  reply_to_message: z
    .object({ forum_topic_created: z.object({ name: z.string() }).optional() })
    .optional()
    .catch(undefined),
})
const Update = z.object({
  update_id: z.number().int(),
  message: Message.optional().catch(undefined),
  my_chat_member: z.object({ chat: Chat, new_chat_member: Member }).optional().catch(undefined),
})

export type User = z.output<typeof User>
export type Chat = z.output<typeof Chat>
export type Member = z.output<typeof Member>
export type Message = z.output<typeof Message>
export type Update = z.output<typeof Update>

/** The kinds of updates that the bot receives. Telegram sends no others. */
export const wantedUpdates = ['message', 'my_chat_member']

export function readUpdate(value: unknown): Update | undefined {
  return Update.safeParse(value).data
}

export function readChat(value: unknown): Chat | undefined {
  return Chat.safeParse(value).data
}

export function readMember(value: unknown): Member | undefined {
  return Member.safeParse(value).data
}
