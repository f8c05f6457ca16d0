import { setTimeout as sleep } from 'node:timers/promises'
import { UpstreamError } from '../../outbound/upstream-error.ts'
import type { Head, HeadListener, HeadStream, HeadStreamOptions } from '../connection.ts'
import type { Subscribe, Subscription } from './endpoint.ts'
import { byPreference, type Health } from './health.ts'
import type { Network } from './network.ts'

/** How a node is asked to tell of every new block. `read` throws an UpstreamError at what is no head. */
export type HeadSubscription = Subscribe & { read(notice: unknown): Head }

/** `signal`: the pool is closed. */
type Options = HeadStreamOptions & { timeoutMs: number; now: () => number; signal: AbortSignal }

const quietDefaultMs = 30_000
const retryFirstDefaultMs = 1000
const retryMostMs = 60_000

/** One endpoint at a time pushes heads; when it stops, the next one is asked, with growing pauses when none does. */
export class Heads implements HeadStream {
  isUp = false
  readonly #all: readonly Health[]
  readonly #network: Network
  readonly #subscription: HeadSubscription
  readonly #listener: HeadListener
  readonly #options: Options
  readonly #closing = new AbortController()
  #isOutageTold = false

  constructor(
    all: readonly Health[],
    network: Network,
    subscription: HeadSubscription,
    listener: HeadListener,
    options: Options,
  ) {
    this.#all = all
    this.#network = network
    this.#subscription = subscription
    this.#listener = listener
    this.#options = options
    options.signal.addEventListener('abort', () => this.close(), { signal: this.#closing.signal })
    void this.#run(all.filter(({ endpoint }) => endpoint.subscribe))
  }

  close(): void {
    this.#closing.abort()
  }

  async #run(able: readonly Health[]): Promise<void> {
    if (able.length === 0) return this.#down('No endpoint of the source is a web socket.')
    const tried = new Set<Health>()
    let rounds = 0
    while (!this.#closing.signal.aborted) {
      // Each of them gets a chance before the first pause.
      if (tried.size === able.length) {
        tried.clear()
        await this.#pause(rounds)
        rounds += 1
      }
      const next = [...able].sort(byPreference).find((health) => !tried.has(health))
      if (!next) return
      const { reason, hasServed } = await this.#follow(next)
      if (hasServed) {
        tried.clear()
        rounds = 0
      }
      // One that served till now may do so again, but only after the others: it has just broken off.
      if (!hasServed || able.length > 1) tried.add(next)
      if (!this.#closing.signal.aborted) this.#down(reason)
    }
  }

  /** Until the stream ends, for whatever reason. One that breaks off as soon as it told something has served nobody. */
  async #follow(health: Health): Promise<{ reason: string; hasServed: boolean }> {
    const { quietMs = quietDefaultMs, retryFirstMs = retryFirstDefaultMs, timeoutMs, now } = this.#options
    const { promise: ended, resolve: end } = Promise.withResolvers<string>()
    const quiet = setTimeout(() => end(`${health.host} told of no block for ${quietMs / 1000} s.`), quietMs)
    const stop = () => end('closed')
    this.#closing.signal.addEventListener('abort', stop)
    let subscription: Subscription | undefined
    const startedAt = now()
    let hasServed = false
    const onNotice = (notice: unknown) => {
      if (!this.#hear(health, notice, end)) return
      hasServed ||= now() - startedAt >= retryFirstMs
      quiet.refresh()
    }
    try {
      await this.#network.requireSame(health, timeoutMs)
      const onEnd = ({ message }: UpstreamError) => end(message)
      subscription = await health.endpoint.subscribe?.(this.#subscription, { onNotice, onEnd }, timeoutMs)
      return { reason: await ended, hasServed }
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error
      health.failed(error, startedAt)
      return { reason: error.message, hasServed }
    } finally {
      clearTimeout(quiet)
      this.#closing.signal.removeEventListener('abort', stop)
      subscription?.cancel()
    }
  }

  #hear(health: Health, notice: unknown, end: (reason: string) => void): boolean {
    if (this.#closing.signal.aborted) return false
    try {
      const head = this.#subscription.read(notice)
      health.head = head.number
      this.#up(health.host)
      this.#listener.onHead(head, this.#all.indexOf(health))
      return true
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error
      end(`${health.host}: ${error.message}`)
      return false
    }
  }

  #up(host: string): void {
    if (this.isUp) return
    this.isUp = true
    this.#isOutageTold = false
    this.#listener.onUp?.(host)
  }

  #down(reason: string): void {
    this.isUp = false
    if (this.#isOutageTold) return
    this.#isOutageTold = true
    this.#listener.onDown?.(reason)
  }

  async #pause(doublings: number): Promise<void> {
    const ms = Math.min(retryMostMs, (this.#options.retryFirstMs ?? retryFirstDefaultMs) * 2 ** doublings)
    await sleep(ms, undefined, { signal: this.#closing.signal }).catch(() => undefined)
  }
}
