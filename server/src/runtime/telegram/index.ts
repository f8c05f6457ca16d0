/** How updates reach the bot: by polling, or by a webhook. */
export { type PollingOptions, startPolling } from './polling.ts'
export { startWebhook } from './webhook.ts'
