import type { TelegramWebhook } from './api/telegram-webhook.ts'
import type { Config } from './config.ts'
import { handleUpdate } from './domain/resources/bot/index.ts'
import { type Update, webhookPath } from './engine/destinations/telegram/updates.ts'
import type { Engine } from './engine/engine.ts'
import type { CrashPoint, Running, RuntimeLog } from './runtime/index.ts'
import { startPolling } from './runtime/telegram/polling.ts'
import { startWebhook } from './runtime/telegram/webhook.ts'
import type { Store } from './store/index.ts'

export type BotUpdatesOptions = { config: Config; store: Store; engine: Engine; clock: () => Date; log: RuntimeLog }
/** How Telegram's updates reach the bot: by a webhook or by polling. All are absent if no bot is configured or secure setup is off. */
export type BotUpdates = {
  webhook?: TelegramWebhook
  /** For processes that serve the API. */
  startWebhook?(): Running
  /** For processes that run the loops; one of them polls at a time. */
  startPolling?(crashPoint?: CrashPoint): Running
}

export function makeBotUpdates({ config, store, engine, clock, log }: BotUpdatesOptions): BotUpdates {
  const { bot, channels } = engine
  const { telegram: api } = channels
  if (!bot || !api || !config.secureSetup) return {}
  const handle = (update: Update) => handleUpdate({ store, bot, clock }, update)
  if (!config.telegramWebhook)
    return { startPolling: (crashPoint) => startPolling({ store, api, bot, clock, log, handle, crashPoint }) }
  const secret = store.signatures.deriveSecret('telegram webhook', config.channels.telegram?.token ?? '')
  const url = `${config.publicUrl}${webhookPath}`
  return { webhook: { secret, handle }, startWebhook: () => startWebhook({ api, url, secret, log }) }
}
