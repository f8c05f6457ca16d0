import { randomUUID } from 'node:crypto'
import { every } from '../../engine/base/every.ts'
import { isObject } from '../../engine/base/json.ts'
import type { TelegramApi } from '../../engine/destinations/telegram/api.ts'
import type { Bot } from '../../engine/destinations/telegram/bot.ts'
import { readUpdate, type Update, wantedUpdates } from '../../engine/destinations/telegram/updates.ts'
import { makeWakeSignal } from '../../store/core/wake-signal.ts'
import { type FollowerLease, LeaseLost, requireLease } from '../../store/following/followers.ts'
import type { Store } from '../../store/index.ts'
import type { CrashPoint, Running, RuntimeLog } from '../deps.ts'

export type PollingOptions = {
  store: Store
  api: TelegramApi
  bot: Bot
  clock: () => Date
  log: RuntimeLog
  /** Must be idempotent: after a crash an update may be handled twice. */
  handle(update: Update): Promise<void>
  crashPoint?: CrashPoint | undefined
}

const follower = 'telegram'
const renewMs = 1_000
const takeMs = 1_000
const waitMaxMs = 30_000
/** An update that still fails after this time is skipped, so that it does not block the others. */
const stuckMaxMs = 5 * 60_000

/**
 * Polls Telegram for updates, in one process at a time: the one that holds the lease. The offset moves only after an
 * update was handled, so the next process handles the update of a process that died.
 */
export function startPolling(options: PollingOptions): Running {
  const polling = new Polling(options)
  const renewing = every(renewMs, () => polling.renew(), options, 'renewing the lease of the Telegram bot')
  const done = polling.run()
  return {
    async stop() {
      polling.abandon()
      await done
      await renewing.stop()
    },
  }
}

class Polling {
  readonly #options: PollingOptions
  readonly #owner = randomUUID()
  readonly #wakeSignal = makeWakeSignal()
  #abort = new AbortController()
  #lease: FollowerLease | undefined
  #isStopping = false
  #failures = 0
  /** The update that fails, and since when. */
  #stuck = { id: 0, sinceMs: 0 }

  constructor(options: PollingOptions) {
    this.#options = options
  }

  async run(): Promise<void> {
    while (!this.#isStopping) {
      try {
        if (!this.#lease) await this.#take()
        if (this.#lease) await this.#poll(this.#lease)
        else await this.#wakeSignal.wait(takeMs)
        this.#failures = 0
      } catch (error) {
        await this.#recover(error)
      }
    }
    if (this.#lease) await this.#options.store.followers.release(this.#lease).catch(() => undefined)
  }

  abandon(): void {
    this.#isStopping = true
    this.#abort.abort()
    this.#wakeSignal.wake()
  }

  async renew(): Promise<void> {
    const lease = this.#lease
    if (!lease) return
    const kept = await this.#options.store.followers.renew(this.#owner, [lease])
    if (kept.size === 0) this.#dropLease()
  }

  async #take(): Promise<void> {
    const { store, clock } = this.#options
    const row = await store.followers.take(follower, this.#owner, clock())
    if (!row) return
    this.#abort = new AbortController()
    this.#lease = { source: row.source, epoch: row.epoch }
  }

  #dropLease(): void {
    this.#lease = undefined
    this.#abort.abort()
  }

  async #poll(lease: FollowerLease): Promise<void> {
    const { store, api, bot, clock } = this.#options
    const { id } = await bot.self()
    const offset = await readOffset(store, id, clock())
    const updates = await fetchUpdates(api, offset, this.#abort.signal)
    for (const update of updates) {
      if (this.#isStopping || this.#lease !== lease) return
      await this.#handle(update)
      await this.#options.crashPoint?.('bot.handled')
      await store.tx(async (store) => {
        await requireLease(store, lease)
        await saveOffset(store, id, update.id + 1, clock())
      })
    }
  }

  async #handle({ id, value }: RawUpdate): Promise<void> {
    const update = readUpdate(value)
    if (!update) return
    try {
      await this.#options.handle(update)
    } catch (error) {
      if (this.#stuck.id !== id) this.#stuck = { id, sinceMs: performance.now() }
      if (performance.now() - this.#stuck.sinceMs < stuckMaxMs) throw error
      this.#options.log.error(
        { update: id, error: reasonOf(error) },
        'Telegram update failed for five minutes and is skipped',
      )
    }
  }

  async #recover(error: unknown): Promise<void> {
    if (error instanceof LeaseLost) return this.#dropLease()
    if (this.#isStopping || !this.#lease) return
    this.#failures++
    if (this.#failures === 1)
      this.#options.log.warn({ error: reasonOf(error) }, 'polling Telegram failed; it will be retried')
    await this.#wakeSignal.wait(Math.min(500 * 2 ** (this.#failures - 1), waitMaxMs))
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** An update as Telegram sent it. Its number is enough to continue after it, even if the rest cannot be read. */
type RawUpdate = { id: number; value: unknown }

const pollSeconds = 25
const timeoutMs = (pollSeconds + 10) * 1000
const answerBytesMax = 4 * 1024 * 1024
const updatesMax = 50
/** Telegram may restart its numbers after a week without updates, and then an old offset would hide new updates. */
const offsetMaxAgeMs = 3 * 86_400_000

/** Long polling: waits up to 25 s for updates. */
async function fetchUpdates(api: TelegramApi, offset: number | undefined, signal: AbortSignal): Promise<RawUpdate[]> {
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

async function readOffset(store: Store, botId: number, now: Date): Promise<number | undefined> {
  const text = await store.settings.find(keyOf(botId))
  const [offset, at] = (text ?? '').split(' ')
  if (!offset || !at || now.getTime() - Date.parse(at) > offsetMaxAgeMs) return undefined
  return Number(offset)
}

function saveOffset(store: Store, botId: number, offset: number, now: Date): Promise<void> {
  return store.settings.set(keyOf(botId), `${offset} ${now.toISOString()}`)
}

/** Each bot has its own offset. */
function keyOf(botId: number): string {
  return `telegram offset ${botId}`
}
