import { isObject } from '../../engine/base/is-object.ts'
import type { TelegramApi } from '../../engine/destinations/telegram/api.ts'
import { wantedUpdates } from '../../engine/destinations/telegram/updates.ts'
import type { Store } from '../../store/index.ts'

/** An update as Telegram sent it. Its number is enough to continue after it, even if the rest cannot be read. */
export type RawUpdate = { id: number; value: unknown }

const pollSeconds = 25
const timeoutMs = (pollSeconds + 10) * 1000
const answerBytesMax = 4 * 1024 * 1024
const updatesMax = 50
/** Telegram may restart its numbers after a week without updates, and then an old offset would hide new updates. */
const offsetMaxAgeMs = 3 * 86_400_000

/** Long polling: waits up to 25 s for updates. */
export async function fetchUpdates(
  api: TelegramApi,
  offset: number | undefined,
  signal: AbortSignal,
): Promise<RawUpdate[]> {
  const options = { timeout: pollSeconds, limit: updatesMax, allowed_updates: wantedUpdates }
  const fields = offset === undefined ? options : { ...options, offset }
  const answer = await api.call('getUpdates', fields, { timeoutMs, answerBytesMax, signal })
  if (answer.ok) return answer.results.flatMap(rawOf)
  // Telegram refuses polling while a webhook is set, for example by an earlier configuration.
  if (answer.status === 409 && /webhook/i.test(answer.description)) await api.call('deleteWebhook', {})
  throw new Error(`Telegram answered ${answer.status} to getUpdates.`)
}

function rawOf(value: unknown): RawUpdate[] {
  return isObject(value) && typeof value.update_id === 'number' ? [{ id: value.update_id, value }] : []
}

export async function readOffset(store: Store, botId: number, now: Date): Promise<number | undefined> {
  const text = await store.settings.find(keyOf(botId))
  const [offset, at] = (text ?? '').split(' ')
  if (!offset || !at || now.getTime() - Date.parse(at) > offsetMaxAgeMs) return undefined
  return Number(offset)
}

export function saveOffset(store: Store, botId: number, offset: number, now: Date): Promise<void> {
  return store.settings.set(keyOf(botId), `${offset} ${now.toISOString()}`)
}

/** Each bot has its own offset. */
function keyOf(botId: number): string {
  return `telegram offset ${botId}`
}
