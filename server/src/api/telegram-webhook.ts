import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { Refusal } from '../domain/refusal.ts'
import { readUpdate, type Update, webhookPath } from '../engine/destinations/telegram/updates.ts'
import { header } from './authenticate.ts'

export type TelegramWebhook = { secret: string; handle(update: Update): Promise<void> }

/** What Telegram tells the bot. It knows the secret that it was given, and nobody else gets as far as the body. */
export function addTelegramWebhook(app: FastifyInstance, { secret, handle }: TelegramWebhook): void {
  app.post(webhookPath, {
    onRequest: async (request) => {
      if (!isSame(header(request, 'x-telegram-bot-api-secret-token'), secret)) throw new Refusal('unauthenticated')
    },
    // A failure is answered as one, and Telegram sends the update again; one that cannot be read never could be.
    handler: async (request) => {
      const update = readUpdate(request.body)
      if (update) await handle(update)
      return {}
    },
  })
}

function isSame(given: string | undefined, secret: string): boolean {
  const [a, b] = [Buffer.from(given ?? ''), Buffer.from(secret)]
  return a.length === b.length && timingSafeEqual(a, b)
}
