import type { PostDoor } from '../../outbound/door.ts'
import { readJson } from '../read-json.ts'

export type TelegramAnswer = {
  ok: boolean
  status: number
  description: string
  result: Record<string, unknown>
  /** The result if it is a list. */
  results: readonly unknown[]
  retryAfterMs?: number
  /** The new id of a group that became a supergroup. */
  migratedTo?: number
}
export type CallOptions = { timeoutMs?: number; answerBytesMax?: number; signal?: AbortSignal }
export type TelegramApi = { call(method: string, body: object, options?: CallOptions): Promise<TelegramAnswer> }

const defaults = { timeoutMs: 15_000, answerBytesMax: 64 * 1024 }

/** The Bot API. Its URL contains the bot's token, so errors and logs show only the host. */
export function makeTelegramApi(door: PostDoor, { token, apiUrl }: { token: string; apiUrl: string }): TelegramApi {
  const root = `${apiUrl}/bot${token}`
  const headers = { 'content-type': 'application/json' }
  return {
    async call(method, body, options) {
      const { answerBytesMax: responseBytesMax, ...rest } = { ...defaults, ...options }
      const request = { headers, body: JSON.stringify(body), responseBytesMax, ...rest }
      const { status, text } = await door.post(`${root}/${method}`, request)
      return readAnswer(status, readJson(text))
    },
  }
}

function readAnswer(status: number, answer: Record<string, unknown>): TelegramAnswer {
  const { retry_after: seconds, migrate_to_chat_id: migratedTo } = objectOf(answer.parameters)
  return {
    ok: answer.ok === true,
    status,
    description: typeof answer.description === 'string' ? answer.description : '',
    result: objectOf(answer.result),
    results: Array.isArray(answer.result) ? answer.result : [],
    ...(typeof seconds === 'number' && { retryAfterMs: Math.ceil(seconds * 1000) }),
    ...(typeof migratedTo === 'number' && { migratedTo }),
  }
}

function objectOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
}
