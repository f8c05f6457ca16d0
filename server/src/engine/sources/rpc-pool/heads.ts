import { setTimeout as sleep } from 'node:timers/promises'
import { UpstreamError } from '../../outbound/upstream-error.ts'
import type { Head, HeadListener, HeadStream, HeadStreamOptions } from '../connection.ts'
import type { Subscribe, Subscription } from './endpoint.ts'
import { byPreference, type Health } from './health.ts'
import type { Network } from './network.ts'

/** How to subscribe to new blocks at a node. `read` throws an UpstreamError when the notification is not a head. */
export type HeadSubscription = Subscribe & { read(notice: unknown): Head }

/** `signal` aborts when the pool is closed. */
type Options = HeadStreamOptions & { timeoutMs: number; now: () => number; signal: AbortSignal }

const quietDefaultMs = 30_000
const retryFirstDefaultMs = 1000
const retryMaxMs = 60_000

/** Subscribes to heads at one endpoint at a time. When it stops, the next one is asked; when all fail, with growing pauses. */
export class Heads implements HeadStream {
  isUp = false
  readonly #all: readonly Health[]
  readonly #network: Network
  readonly #subscription: HeadSubscription
  readonly #listener: HeadListener
  readonly #options: Options
  readonly #closing = new AbortController()
  #isOutageReported = false

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
      // Each endpoint is tried once before the first pause.
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
      // An endpoint that worked until now may work again, but it is tried after the others because it just failed.
      if (!hasServed || able.length > 1) tried.add(next)
      if (!this.#closing.signal.aborted) this.#down(reason)
    }
  }

  /** Runs until the stream ends. A stream that ends right after its first head does not count as working. */
  async #follow(health: Health): Promise<{ reason: string; hasServed: boolean }> {
    const { quietMs = quietDefaultMs, retryFirstMs = retryFirstDefaultMs, timeoutMs, now } = this.#options
    const { promise: ended, resolve: end } = Promise.withResolvers<string>()
    const quiet = setTimeout(() => end(`${health.host} announced no block for ${quietMs / 1000} s.`), quietMs)
    const stop = () => end('closed')
    this.#closing.signal.addEventListener('abort', stop)
    let subscription: Subscription | undefined
    const startedAt = now()
    let hasServed = false
    let highest = Number.NEGATIVE_INFINITY
    const onNotice = (notice: unknown) => {
      const head = this.#handleNotice(health, notice, end)
      // A node that repeats an old head announces nothing.
      if (!head || head.number <= highest) return
      highest = head.number
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

  #handleNotice(health: Health, notice: unknown, end: (reason: string) => void): Head | undefined {
    if (this.#closing.signal.aborted) return undefined
    try {
      const head = this.#subscription.read(notice)
      health.head = Math.max(health.head ?? 0, head.number)
      this.#up(health.host)
      this.#listener.onHead(head, this.#all.indexOf(health))
      return head
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error
      end(`${health.host}: ${error.message}`)
      return undefined
    }
  }

  #up(host: string): void {
    if (this.isUp) return
    this.isUp = true
    this.#isOutageReported = false
    this.#listener.onUp?.(host)
  }

  #down(reason: string): void {
    this.isUp = false
    if (this.#isOutageReported) return
    this.#isOutageReported = true
    this.#listener.onDown?.(reason)
  }

  async #pause(doublings: number): Promise<void> {
    const ms = Math.min(retryMaxMs, (this.#options.retryFirstMs ?? retryFirstDefaultMs) * 2 ** doublings)
    await sleep(ms, undefined, { signal: this.#closing.signal }).catch(() => undefined)
  }
}
