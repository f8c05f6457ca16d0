import type { TelegramApi } from '../../engine/destinations/telegram/api.ts'
import { wantedUpdates } from '../../engine/destinations/telegram/updates.ts'
import { makeWakeSignal } from '../../store/core/wake-signal.ts'
import type { Running, RuntimeLog } from '../deps.ts'

const waitMaxMs = 60_000
/** Updates of one chat come in their order only as long as few are on their way at once. */
const connectionsMax = 2

export type WebhookOptions = { api: TelegramApi; url: string; secret: string; log: RuntimeLog }

/** Tells Telegram where updates go, as often as it takes. Every process says the same, so none has to be first. */
export function startWebhook({ api, url, secret, log }: WebhookOptions): Running {
  const wakeSignal = makeWakeSignal()
  const asking = new AbortController()
  const fields = { url, secret_token: secret, allowed_updates: wantedUpdates, max_connections: connectionsMax }
  const done = run()
  async function run(): Promise<void> {
    for (let failures = 0; !asking.signal.aborted; failures++) {
      const reason = await tell(api, fields, asking.signal)
      if (reason === undefined || asking.signal.aborted) return
      if (failures === 0) log.warn({ reason }, 'setting the webhook of the bot failed')
      await wakeSignal.wait(Math.min(1_000 * 2 ** failures, waitMaxMs))
    }
  }
  return {
    async stop() {
      asking.abort()
      wakeSignal.wake()
      await done
    },
  }
}

/** Undefined when it was done, else why not. */
async function tell(api: TelegramApi, fields: object, signal: AbortSignal): Promise<string | undefined> {
  try {
    const { ok, description } = await api.call('setWebhook', fields, { signal })
    return ok ? undefined : description || 'Telegram did not say why'
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
