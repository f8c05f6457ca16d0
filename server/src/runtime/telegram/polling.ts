import { randomUUID } from 'node:crypto'
import { every } from '../../engine/base/every.ts'
import type { TelegramApi } from '../../engine/destinations/telegram/api.ts'
import type { Bot } from '../../engine/destinations/telegram/bot.ts'
import { readUpdate, type Update } from '../../engine/destinations/telegram/updates.ts'
import { makeWakeSignal } from '../../store/core/wake-signal.ts'
import type { FollowerLease } from '../../store/following/followers.ts'
import { LeaseLost, requireLease } from '../../store/following/lease.ts'
import type { Store } from '../../store/index.ts'
import type { CrashPoint, Running, RuntimeLog } from '../deps.ts'
import { fetchUpdates, keepOffset, type Raw, readOffset } from './inbox.ts'

export type PollingOptions = {
  store: Store
  api: TelegramApi
  bot: Bot
  clock: () => Date
  log: RuntimeLog
  /** What is handled twice, after a crash, must be as if it were handled once. */
  handle(update: Update): Promise<void>
  crashPoint?: CrashPoint | undefined
}

const follower = 'telegram'
const renewMs = 1_000
const takeMs = 1_000
const waitMaxMs = 30_000
/** So long an update is tried; what has no end of its own must not keep the others from being heard. */
const stuckMaxMs = 5 * 60_000

/**
 * Asks Telegram for updates, in one process at a time: whoever holds the lease. An update counts as read only when it was
 * handled, so a process that dies leaves it to the next one.
 */
export function startPolling(options: PollingOptions): Running {
  const polling = new Polling(options)
  const renewing = every(renewMs, () => polling.renew(), options, 'renewing the lease of the bot')
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
  #asking = new AbortController()
  #held: FollowerLease | undefined
  #isStopping = false
  #failures = 0
  /** The update that could not be handled, and since when. */
  #stuck = { id: 0, sinceMs: 0 }

  constructor(options: PollingOptions) {
    this.#options = options
  }

  async run(): Promise<void> {
    while (!this.#isStopping) {
      try {
        if (!this.#held) await this.#take()
        if (this.#held) await this.#turn(this.#held)
        else await this.#wakeSignal.wait(takeMs)
        this.#failures = 0
      } catch (error) {
        await this.#recover(error)
      }
    }
    if (this.#held) await this.#options.store.followers.release(this.#held).catch(() => undefined)
  }

  abandon(): void {
    this.#isStopping = true
    this.#asking.abort()
    this.#wakeSignal.wake()
  }

  async renew(): Promise<void> {
    const held = this.#held
    if (!held) return
    const kept = await this.#options.store.followers.renew(this.#owner, [held])
    if (kept.size === 0) this.#lose()
  }

  async #take(): Promise<void> {
    const { store, clock } = this.#options
    const row = await store.followers.take(follower, this.#owner, clock())
    if (!row) return
    this.#asking = new AbortController()
    this.#held = { source: row.source, epoch: row.epoch }
  }

  #lose(): void {
    this.#held = undefined
    this.#asking.abort()
  }

  async #turn(held: FollowerLease): Promise<void> {
    const { store, api, bot, clock } = this.#options
    const { id } = await bot.self()
    const offset = await readOffset(store, id, clock())
    const updates = await fetchUpdates(api, offset, this.#asking.signal)
    for (const update of updates) {
      if (this.#isStopping || this.#held !== held) return
      await this.#handle(update)
      await this.#options.crashPoint?.('bot.handled')
      await store.tx(async (store) => {
        await requireLease(store, held)
        await keepOffset(store, id, update.id + 1, clock())
      })
    }
  }

  async #handle({ id, value }: Raw): Promise<void> {
    const update = readUpdate(value)
    if (!update) return
    try {
      await this.#options.handle(update)
    } catch (error) {
      if (this.#stuck.id !== id) this.#stuck = { id, sinceMs: performance.now() }
      if (performance.now() - this.#stuck.sinceMs < stuckMaxMs) throw error
      this.#options.log.error({ update: id, error: reasonOf(error) }, 'an update of the bot was given up')
    }
  }

  async #recover(error: unknown): Promise<void> {
    if (error instanceof LeaseLost) return this.#lose()
    if (this.#isStopping || !this.#held) return
    this.#failures++
    if (this.#failures === 1) this.#options.log.warn({ error: reasonOf(error) }, 'asking Telegram failed')
    await this.#wakeSignal.wait(Math.min(500 * 2 ** (this.#failures - 1), waitMaxMs))
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
