import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { Refusal } from '../domain/refusal.ts'
import { parseJson } from '../engine/base/json.ts'
import { readUpdate, type Update, webhookPath } from '../engine/destinations/telegram/updates.ts'
import { header } from './authenticate.ts'

export type TelegramWebhook = { secret: string; handle(update: Update): Promise<void> }

/**
 * Receives Telegram's updates. Telegram sends the secret it was given; a request without it is refused before its body
 * is read.
 */
export function addTelegramWebhook(app: FastifyInstance, { secret, handle }: TelegramWebhook): void {
  app.post(webhookPath, {
    onRequest: async (request) => {
      if (!isSame(header(request, 'x-telegram-bot-api-secret-token'), secret)) throw new Refusal('unauthenticated')
    },
    // If handling fails, the response is an error and Telegram sends the update again. An update that cannot be parsed
    // is dropped, because it would never succeed.
    handler: async (request) => {
      const update = readUpdate(parse(request.body))
      if (update) await handle(update)
      return {}
    },
  })
}

function parse(body: unknown): unknown {
  try {
    return parseJson(String(body))
  } catch {
    throw new Refusal('invalid_json')
  }
}

function isSame(given: string | undefined, secret: string): boolean {
  const [a, b] = [Buffer.from(given ?? ''), Buffer.from(secret)]
  return a.length === b.length && timingSafeEqual(a, b)
}
