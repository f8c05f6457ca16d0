import type { PostDoor } from '../../outbound/door.ts'
import { readJson } from '../read-json.ts'

export type TelegramAnswer = {
  ok: boolean
  status: number
  description: string
  result: Record<string, unknown>
  /** Where the result is a list. */
  results: readonly unknown[]
  retryAfterMs?: number
  /** A group that became a supergroup goes on under another id. */
  migratedTo?: number
}
export type CallOptions = { timeoutMs?: number; answerBytesMax?: number; signal?: AbortSignal }
export type TelegramApi = { call(method: string, body: object, options?: CallOptions): Promise<TelegramAnswer> }

const usual = { timeoutMs: 15_000, answerBytesMax: 64 * 1024 }

/** The Bot API. Its address holds the bot's token, so nothing here tells more of it than the host. */
export function makeTelegramApi(door: PostDoor, { token, apiUrl }: { token: string; apiUrl: string }): TelegramApi {
  const root = `${apiUrl.replace(/\/+$/, '')}/bot${token}`
  const headers = { 'content-type': 'application/json' }
  return {
    async call(method, body, options) {
      const { answerBytesMax: responseBytesMax, ...rest } = { ...usual, ...options }
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
