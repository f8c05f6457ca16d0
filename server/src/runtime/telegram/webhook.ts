import type { TelegramApi } from '../../engine/destinations/telegram/api.ts'
import { wantedUpdates } from '../../engine/destinations/telegram/updates.ts'
import { makeWakeSignal } from '../../store/core/wake-signal.ts'
import type { Running, RuntimeLog } from '../deps.ts'

const waitMaxMs = 60_000
/** With few connections, updates of one chat arrive in order. */
const connectionsMax = 2

export type WebhookOptions = { api: TelegramApi; url: string; secret: string; log: RuntimeLog }

/** Registers the webhook at Telegram and retries until it succeeds. All processes register the same URL, so no lease is needed. */
export function startWebhook({ api, url, secret, log }: WebhookOptions): Running {
  const wakeSignal = makeWakeSignal()
  const stopping = new AbortController()
  const fields = { url, secret_token: secret, allowed_updates: wantedUpdates, max_connections: connectionsMax }
  const done = run()
  async function run(): Promise<void> {
    for (let failures = 0; !stopping.signal.aborted; failures++) {
      const reason = await setWebhook(api, fields, stopping.signal)
      if (reason === undefined || stopping.signal.aborted) return
      if (failures === 0) log.warn({ reason }, 'setting the Telegram webhook failed; it will be retried')
      await wakeSignal.wait(Math.min(1_000 * 2 ** failures, waitMaxMs))
    }
  }
  return {
    async stop() {
      stopping.abort()
      wakeSignal.wake()
      await done
    },
  }
}

/** Returns undefined after success, else the reason of the failure. */
async function setWebhook(api: TelegramApi, fields: object, signal: AbortSignal): Promise<string | undefined> {
  try {
    const { ok, description } = await api.call('setWebhook', fields, { signal })
    return ok ? undefined : description || 'Telegram gave no reason'
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
