import type { Limit } from '../../engine/destinations/index.ts'

/**
 * Limits the requests in flight, so that no host takes the slots of the others.
 *
 * A request needs one of `youngMax` slots, and one of the `perHost` slots of its host. Those that wait get a slot host by
 * host in turns. While requests wait, one that takes longer than `slowAfterMs` gives its young slot away and moves to the
 * `slowMax` slots for slow requests. So a thousand hosts that never answer delay the others by fractions of a second.
 */
export type SendSlots = {
  /**
   * The result tells that a request may start; a promise does so when it resolves. The caller calls the result when the
   * request has ended.
   */
  acquire(host: string): (() => void) | Promise<() => void>
}
export type SlotLimits = { youngMax: number; slowMax: number; perHost: number; slowAfterMs: number }
type Host = { name: string; inFlight: number; waiting: ((request: Request) => void)[] }
type Request = { host: Host; startedMs: number }

const sweepMs = 50

export function makeSendSlots(limits: SlotLimits): SendSlots {
  const slots = new Slots(limits)
  return {
    acquire: (host) => {
      const request = slots.startNow(host)
      if (request) return () => slots.end(request)
      return slots.start(host).then((started) => () => slots.end(started))
    },
  }
}

class Slots {
  readonly #limits: SlotLimits
  readonly #hosts = new Map<string, Host>()
  /** In the order of their start. */
  readonly #young = new Set<Request>()
  #slowCount = 0
  /** The hosts whose next request waits for a young slot only, in the order of their turns. */
  readonly #ready = new Set<Host>()
  #sweepTimer: NodeJS.Timeout | undefined

  constructor(limits: SlotLimits) {
    this.#limits = limits
  }

  /** Undefined if the request has to wait. */
  startNow(name: string): Request | undefined {
    if (this.#ready.size > 0 || this.#young.size >= this.#limits.youngMax) return undefined
    const host = this.#hostOf(name)
    if (host.waiting.length > 0 || !this.#hasRoom(host)) return undefined
    return this.#begin(host)
  }

  start(name: string): Promise<Request> {
    const host = this.#hostOf(name)
    const { promise, resolve } = Promise.withResolvers<Request>()
    host.waiting.push(resolve)
    this.#offer(host)
    this.#startReady()
    return promise
  }

  end(request: Request): void {
    const { host } = request
    if (!this.#young.delete(request)) this.#slowCount -= 1
    host.inFlight -= 1
    this.#offer(host)
    if (host.inFlight === 0 && host.waiting.length === 0) this.#hosts.delete(host.name)
    this.#startReady()
  }

  #hostOf(name: string): Host {
    const known = this.#hosts.get(name)
    if (known) return known
    const host: Host = { name, inFlight: 0, waiting: [] }
    this.#hosts.set(name, host)
    return host
  }

  #begin(host: Host): Request {
    const request = { host, startedMs: performance.now() }
    this.#young.add(request)
    host.inFlight += 1
    return request
  }

  #offer(host: Host): void {
    if (this.#hasRoom(host) && host.waiting.length > 0) this.#ready.add(host)
  }

  #startReady(): void {
    for (const host of this.#ready) {
      if (this.#young.size >= this.#limits.youngMax) break
      this.#ready.delete(host)
      host.waiting.shift()?.(this.#begin(host))
      // A host with more requests goes to the end of the queue; this loop reaches it again.
      this.#offer(host)
    }
    if (this.#ready.size > 0) this.#sweepTimer ??= setTimeout(() => this.#sweep(), sweepMs)
  }

  #sweep(): void {
    this.#sweepTimer = undefined
    const slowSinceMs = performance.now() - this.#limits.slowAfterMs
    for (const request of this.#young) {
      if (request.startedMs > slowSinceMs || this.#slowCount >= this.#limits.slowMax) break
      this.#young.delete(request)
      this.#slowCount += 1
    }
    this.#startReady()
  }

  #hasRoom({ inFlight }: Host): boolean {
    return inFlight < this.#limits.perHost
  }
}

/** Beyond this many keys, expired ones are deleted, so that memory does not grow with the number of chats. */
const keysMax = 10_000

/** `waitMs` returns 0 if one more message may be sent within all limits now, and then counts it. */
export type RateLimiter = { waitMs(limits: readonly Limit[]): number }

/** The generic cell rate algorithm: for each key it keeps the time at which all sent messages would be spread evenly. */
export function makeRateLimiter(nowMs: () => number): RateLimiter {
  const theoreticalMs = new Map<string, number>()
  return {
    waitMs(limits) {
      const now = nowMs()
      const waits = limits.map(
        ({ key, everyMs, burst }) => (theoreticalMs.get(key) ?? now) - (burst - 1) * everyMs - now,
      )
      const waitMs = Math.max(0, ...waits)
      if (waitMs > 0) return waitMs
      for (const { key, everyMs } of limits)
        theoreticalMs.set(key, Math.max(theoreticalMs.get(key) ?? now, now) + everyMs)
      if (theoreticalMs.size > keysMax)
        for (const [key, atMs] of theoreticalMs) if (atMs <= now) theoreticalMs.delete(key)
      return 0
    },
  }
}
