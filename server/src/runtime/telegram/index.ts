/** The bot's way to Telegram: what people tell it comes in by polling or by a webhook, and it asks and answers. */
export { type Bot, type BotAnswer, type BotSelf, makeBot } from '../../engine/destinations/telegram/bot.ts'
export {
  type Chat,
  type Member,
  type Message,
  readUpdate,
  type Update,
  type User,
} from '../../engine/destinations/telegram/updates.ts'
export { type PollingOptions, startPolling } from './polling.ts'
export { startWebhook, webhookPath } from './webhook.ts'
