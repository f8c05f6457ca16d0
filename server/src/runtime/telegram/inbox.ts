import { isObject } from '../../engine/base/is-object.ts'
import type { TelegramApi } from '../../engine/destinations/telegram/api.ts'
import { wantedUpdates } from '../../engine/destinations/telegram/updates.ts'
import type { Store } from '../../store/index.ts'

/** An update as it came; its number is all that is needed to go on after it. */
export type Raw = { id: number; value: unknown }

const pollSeconds = 25
const timeoutMs = (pollSeconds + 10) * 1000
const answerBytesMax = 4 * 1024 * 1024
const updatesMax = 50
/** After a week of silence Telegram numbers anew, so an old number would hide what comes. It keeps updates for a day. */
const staleMs = 3 * 86_400_000

/** Waits until there is something, for a while. */
export async function fetchUpdates(api: TelegramApi, offset: number | undefined, signal: AbortSignal): Promise<Raw[]> {
  const asked = { timeout: pollSeconds, limit: updatesMax, allowed_updates: wantedUpdates }
  const fields = offset === undefined ? asked : { ...asked, offset }
  const answer = await api.call('getUpdates', fields, { timeoutMs, answerBytesMax, signal })
  if (answer.ok) return answer.results.flatMap(rawOf)
  // A webhook that was set before keeps updates from being asked for.
  if (answer.status === 409 && /webhook/i.test(answer.description)) await api.call('deleteWebhook', {})
  throw new Error(`Telegram answered ${answer.status} to getUpdates.`)
}

function rawOf(value: unknown): Raw[] {
  return isObject(value) && typeof value.update_id === 'number' ? [{ id: value.update_id, value }] : []
}

export async function readOffset(store: Store, botId: number, now: Date): Promise<number | undefined> {
  const text = await store.settings.find(keyOf(botId))
  const [offset, at] = (text ?? '').split(' ')
  if (!offset || !at || now.getTime() - Date.parse(at) > staleMs) return undefined
  return Number(offset)
}

export function keepOffset(store: Store, botId: number, offset: number, now: Date): Promise<void> {
  return store.settings.set(keyOf(botId), `${offset} ${now.toISOString()}`)
}

/** Each bot counts its own updates. */
function keyOf(botId: number): string {
  return `telegram offset ${botId}`
}
