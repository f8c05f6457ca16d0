/** A Bot API for tests: it sends, edits and refuses like the public one. */
import { type Received, type Receiver, startReceiver } from './deliveries.ts'
import { Telegram } from './telegram.ts'

export type BotCall = { method: string; fields: Record<string, unknown> }
export type BotMessage = {
  chatId: string
  messageId: number
  text: string
  isPhoto: boolean
  fields: Record<string, unknown>
}
export type BotApi = {
  url: string
  token: string
  calls: BotCall[]
  messages: BotMessage[]
  /** The person who writes to the bot, and the chat. */
  telegram: Telegram
  /** Replaces the replies to the next calls; undefined gives the usual reply. */
  refuse: (call: BotCall) => Refused | undefined
  close(): void
}
type Refused = { status: number; description: string; parameters?: Record<string, unknown> }

const token = '123456:secret-of-the-bot'
const textMax = { sendMessage: 4096, sendPhoto: 1024, editMessageText: 4096, editMessageCaption: 1024 }

export async function startBotApi(): Promise<BotApi> {
  const receiver: Receiver = await startReceiver()
  const api: BotApi = {
    url: receiver.url.replace('/hook', ''),
    token,
    calls: [],
    messages: [],
    telegram: new Telegram(),
    refuse: () => undefined,
    close: () => {
      api.telegram.hangUp()
      receiver.close()
    },
  }
  receiver.left = (request) => api.telegram.hangUp(request)
  receiver.answer = async (request) => {
    const call = callOf(request)
    if (!call) return answered({ status: 404, description: 'Not Found' })
    api.calls.push(call)
    const refused = api.refuse(call) ?? mistakeOf(call)
    if (refused) return answered(refused)
    const done = await perform(api, call, request)
    if (done.refused) return answered(done.refused)
    return { status: 200, body: JSON.stringify({ ok: true, result: done.result }) }
  }
  return api
}

function callOf({ path, body }: Received): BotCall | undefined {
  const [, bot, method = ''] = path.split('/')
  if (bot !== `bot${token}`) return undefined
  return { method, fields: JSON.parse(body) }
}

function answered({ status, description, parameters }: Refused) {
  return { status, body: JSON.stringify({ ok: false, error_code: status, description, parameters }) }
}

/** The limits count visible characters, without tags and entities. Tags that do not match are refused. */
function mistakeOf({ method, fields }: BotCall): Refused | undefined {
  if (!/^(send|edit)/.test(method)) return undefined
  const text = String(fields.text ?? fields.caption ?? '')
  const shown = fields.parse_mode === 'HTML' ? readHtml(text) : text
  if (shown === undefined) return { status: 400, description: "Bad Request: can't parse entities" }
  if (shown.trim() === '') return { status: 400, description: 'Bad Request: message text is empty' }
  const max = textMax[method as keyof typeof textMax]
  if (shown.length > max) return { status: 400, description: 'Bad Request: message is too long' }
  return undefined
}

/** Parses Telegram's HTML: a few tags and four entities; everything else is an error. */
export function readHtml(text: string): string | undefined {
  const open: string[] = []
  let isWrong = false
  const bare = text.replace(/<(\/?)([a-z]*)>|[<>]/g, (_whole, slash: string | undefined, name: string | undefined) => {
    if (name === undefined || !['b', 's', 'i', 'u'].includes(name)) isWrong = true
    else if (slash === '/') isWrong ||= open.pop() !== name
    else open.push(name)
    return ''
  })
  const unknown = /&(?!(amp|lt|gt|quot|#39);)/.test(bare)
  if (isWrong || unknown || open.length > 0) return undefined
  const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }
  return bare.replace(/&(amp|lt|gt|quot|#39);/g, (_whole, name: string) => entities[name] ?? '')
}

type Done = { result: unknown; refused?: undefined } | { refused: Refused }

async function perform(api: BotApi, call: BotCall, by: Received): Promise<Done> {
  const { telegram } = api
  const { method, fields } = call
  if (method === 'getMe') return { result: telegram.self }
  if (method === 'setWebhook') telegram.webhook = fields as { url: string; secret_token?: string }
  if (method === 'deleteWebhook') telegram.webhook = undefined
  if (method.endsWith('Webhook')) return { result: true }
  if (method === 'getUpdates') return giveUpdates(telegram, fields, by)
  if (method === 'getChat' || method === 'getChatMember') return tellOfChat(telegram, call)
  return { result: post(api, call) }
}

async function giveUpdates(telegram: Telegram, fields: Record<string, unknown>, by: Received): Promise<Done> {
  const conflict = (description: string) => ({ refused: { status: 409, description: `Conflict: ${description}` } })
  if (telegram.webhook) return conflict("can't use getUpdates method while webhook is active")
  const updates = await telegram.getUpdates(fields as Record<string, number>, by)
  return updates === 'conflict' ? conflict('terminated by other getUpdates request') : { result: updates }
}

/** A chat that the bot has never joined is not found. */
function tellOfChat(telegram: Telegram, { method, fields }: BotCall): Done {
  const chat = telegram.chats.get(Number(fields.chat_id))
  if (!chat?.members.has(telegram.self.id))
    return { refused: { status: 400, description: 'Bad Request: chat not found' } }
  const { members, ...shown } = chat
  if (method === 'getChat') return { result: shown }
  const member = members.get(Number(fields.user_id)) ?? { status: 'left' }
  return { result: { user: { id: fields.user_id }, ...member } }
}

function post(api: BotApi, { method, fields }: BotCall): object {
  const text = String(fields.text ?? fields.caption ?? '')
  if (method.startsWith('edit')) {
    const message = api.messages.find(({ messageId }) => messageId === fields.message_id)
    if (message) Object.assign(message, { text, fields })
    return { message_id: fields.message_id }
  }
  const messageId = api.messages.length + 1
  const isPhoto = method === 'sendPhoto'
  api.messages.push({ chatId: String(fields.chat_id), messageId, text, isPhoto, fields })
  return { message_id: messageId }
}
