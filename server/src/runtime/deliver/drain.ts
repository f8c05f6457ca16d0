import { setTimeout as pause } from 'node:timers/promises'
import { nextTurn } from '../../engine/base/event-loop-turns.ts'
import {
  type Delivery,
  type Destination,
  deliveryOf,
  describeExchange,
  type Sent,
  type Target,
} from '../../engine/destinations/index.ts'
import type { PendingDelivery } from '../../store/alerts/deliveries.ts'
import { Feed } from './feed.ts'
import type { DeliverDeps, LaneTurn } from './lane-deps.ts'
import type { LaneDeps } from './lane-store.ts'
import { noteAttempts } from './note-attempts.ts'
import { recordOf } from './record-turns.ts'
import type { Attempted } from './schedule.ts'

export type DrainContext = { turn: LaneTurn; target: Target; destination: Destination }

/** How many deliveries a lane takes at a time. All lanes together keep about `takenByAllMax` in memory. */
const [takenMin, takenMax, takenByAllMax] = [10, 1_000, 50_000]
/** An ordered lane takes few deliveries at a time, so that a critical alert overtakes the others and changes are seen. */
const takenInOrderMax = 2
/** If fewer than this many were due, the lane does not ask for more before it has recorded them. */
const fewMax = 32
/** After this many failures in a row the lane pauses instead of trying every delivery. */
const failuresMax = 32
/** The lane reads its resource again after it has sent for this long, because the resource may have changed. */
const rereadMs = 2_000
/** The lane takes nothing more after it has sent for this long, so that it has sent most of what it took before it must stop. */
const takeMs = 1_500
/** A wait for a rate limit is cut into slices, because the clock may be moved. */
const sliceMs = 100
/** A lane that must wait longer than this ends its turn if other lanes wait for one. */
const longWaitMs = 1_000

/**
 * Sends the due deliveries of one lane. Several senders take deliveries from one feed, as many as the channel allows, and
 * their attempts are recorded in batches while sending goes on. Returns true if the lane was released with the last results.
 */
export async function drain(context: DrainContext, deps: LaneDeps): Promise<boolean> {
  const feed = makeFeed(context, deps)
  const ready = await feed.fill()
  const sending = new Sending(context, deps, feed)
  const { atOnce } = context.destination
  const senders = Array.from({ length: feed.isOver ? Math.min(ready, atOnce) : atOnce }, () => sending.run())
  const ended = await Promise.allSettled(senders)
  await sending.end()
  for (const end of ended) if (end.status === 'rejected') throw end.reason
  return sending.isReleased
}

function routeOf({ target, destination }: DrainContext): Route {
  return { target, destination, host: hostOf(target) ?? destination.blueprint }
}

function hostOf({ data: { url } }: Target): string | undefined {
  return typeof url === 'string' && URL.canParse(url) ? new URL(url).host : undefined
}

function makeFeed({ turn, destination }: DrainContext, deps: LaneDeps): Feed {
  const { laneStore, laneState } = deps
  const { ordered, atOnce } = destination
  const take = ordered ? laneStore.takeInOrder : laneStore.take
  const limit = ordered ? takenInOrderMax : Math.max(takenMin, Math.min(takenMax, takenByAllMax / laneState.running))
  // Each fetch continues at the due time of the last one, because recorded rows would make a search from the beginning
  // slow. The next drain finds a delivery that this misses.
  let from = new Date(0)
  const fetch = async (open: readonly string[]) => {
    const { resourceId, owner } = turn
    const query = { resourceId, owner, from, limit: Math.floor(limit), open, folds: ordered }
    const deliveries = await take(query)
    const last = deliveries.at(-1)
    if (last) from = new Date(last.dueMs)
    await deps.crashPoint('deliver.taken')
    return { deliveries, isLast: deliveries.length < (ordered ? limit : fewMax) }
  }
  return new Feed(fetch, ordered ? 0 : atOnce)
}

/** The senders of one drain and what they share. */
class Sending {
  readonly recorder: AttemptRecorder
  readonly #context: DrainContext
  readonly #deps: LaneDeps
  readonly #feed: Feed
  readonly #route: Route
  isReleased = false
  #isEnding = false
  #failures = 0
  /** Counted from the first take: among thousands of lanes that takes long, and the lane would end before it sent anything. */
  readonly #startedMs = performance.now()

  constructor(context: DrainContext, deps: LaneDeps, feed: Feed) {
    this.#context = context
    this.#deps = deps
    this.#feed = feed
    this.#route = routeOf(context)
    this.recorder = new AttemptRecorder((attempted) => this.#record(attempted))
  }

  async run(): Promise<void> {
    const feed = this.#feed
    const { destination, target } = this.#context
    // An `await` that has nothing to wait for costs as much as a small piece of work, so there are few in this loop.
    for (let next = await feed.next(); next; next = feed.takeReady() ?? (await feed.next())) {
      const limits = destination.limits(target, this.#deps.destinationDeps)
      if (this.#mustStop()) return feed.stop()
      if (this.#ranMs > takeMs) feed.isOver = true
      if (limits.length > 0 && !(await waitForRateLimit(limits, this.#context, this.#deps))) return feed.stop()
      const attempted = await attempt(next, this.#route, this.#deps)
      const crash = this.#deps.crashPoint('deliver.sent')
      if (crash) await crash
      this.#note(attempted)
      if (destination.ordered) await this.recorder.flush()
      await nextTurn()
    }
  }

  /** Records what is left, and asks to release the lane if the senders found nothing more to send. */
  async end(): Promise<void> {
    await this.#feed.end()
    this.#isEnding = !this.#mustStop()
    await this.recorder.flush()
  }

  get #ranMs(): number {
    return performance.now() - this.#startedMs
  }

  #mustStop(): boolean {
    const { turn } = this.#context
    const isOver = this.#ranMs > rereadMs
    return turn.isLost || this.recorder.failure !== undefined || this.#deps.laneState.isStopping || isOver
  }

  #note(attempted: Attempted): void {
    const { outcome } = attempted
    this.#failures = outcome.kind === 'sent' ? 0 : this.#failures + 1
    if (this.#failures >= failuresMax || pausesLane(outcome, this.#context.destination.ordered)) this.#feed.stop()
    this.recorder.add(attempted)
  }

  async #record(attempted: readonly Attempted[]): Promise<void> {
    const context = { ...this.#context, isFailing: this.#failures >= failuresMax }
    const { target, destination } = context
    this.isReleased = await this.#deps.laneStore.record(recordOf(attempted, context, this.#isEnding, this.#deps))
    this.#deps.counts.add(attempted, target, destination.blueprint)
    noteAttempts(this.#deps, attempted, destination.blueprint)
    this.#feed.markRecorded(attempted.map(({ delivery }) => delivery))
  }
}

/** A receiver that asks to wait means the whole lane. In an ordered lane the first delivery that must wait does too. */
function pausesLane(outcome: Sent, ordered: boolean): boolean {
  return outcome.kind === 'gone' || (outcome.kind === 'later' && (ordered || outcome.afterMs !== undefined))
}

/** False if the lane should end its turn instead of waiting. */
async function waitForRateLimit(
  limits: ReturnType<Destination['limits']>,
  { turn }: DrainContext,
  deps: LaneDeps,
): Promise<boolean> {
  for (;;) {
    const waitMs = deps.rateLimiter.waitMs(limits)
    if (waitMs === 0) return true
    const mustEnd = turn.isLost || deps.laneState.isStopping
    if (mustEnd || (waitMs > longWaitMs && deps.laneState.isCrowded)) return false
    await pause(Math.min(waitMs, sliceMs))
  }
}

/** An attempt waits this long for others, so that they share one commit. */
const lingerMs = 15
const sharedMax = 250

/** Collects attempts and records them in batches, one commit after the other, while the lane goes on sending. */
class AttemptRecorder {
  private readonly commit: (attempted: readonly Attempted[]) => Promise<void>
  private waiting: Attempted[] = []
  private committing: Promise<void> = Promise.resolve()
  private timer: NodeJS.Timeout | undefined
  /** Set after a failed commit. Nothing more is recorded then: the lane is lost, or the store is down. */
  failure: Error | undefined

  constructor(commit: (attempted: readonly Attempted[]) => Promise<void>) {
    this.commit = commit
  }

  add(attempted: Attempted): void {
    this.waiting.push(attempted)
    if (this.waiting.length >= sharedMax) void this.start()
    else this.timer ??= setTimeout(() => void this.start(), lingerMs)
  }

  /** Returns when everything that was added is recorded, or throws. */
  async flush(): Promise<void> {
    await this.start()
    if (this.failure) throw this.failure
  }

  private start(): Promise<void> {
    clearTimeout(this.timer)
    this.timer = undefined
    this.committing = this.committing.then(() => this.commitWaiting())
    return this.committing
  }

  private async commitWaiting(): Promise<void> {
    const attempted = this.waiting
    this.waiting = []
    if (attempted.length === 0 || this.failure) return
    try {
      await this.commit(attempted)
    } catch (error) {
      this.failure = error instanceof Error ? error : new Error(String(error))
    }
  }
}

/** Where a delivery goes. The requests to one `host` share a limit. */
type Route = { target: Target; destination: Destination; host: string }

/** Sends one delivery. */
async function attempt(pending: PendingDelivery, route: Route, deps: DeliverDeps): Promise<Attempted> {
  const delivery = deliveryOf(pending, deps.destinationDeps)
  const slot = deps.slots.acquire(route.host)
  const release = typeof slot === 'function' ? slot : await slot
  const at = deps.clock()
  const startedMs = performance.now()
  let outcome: Sent
  try {
    const { target, destination } = route
    const start = delivery.kind === 'retraction' ? destination.retract : destination.send
    outcome = await start(delivery, target, deps.destinationDeps)
  } catch (error) {
    outcome = outcomeOfBug(error, delivery, route, deps)
  } finally {
    release()
  }
  const durationMs = Math.round(performance.now() - startedMs)
  const attempted: Attempted = { delivery: pending, outcome, at, durationMs }
  if (outcome.kind !== 'sent') attempted.exchange = exchangeOf(delivery, outcome, route, deps)
  return attempted
}

/** A bug in one message must not block the lane, so it counts as a failed attempt and is logged. */
function outcomeOfBug(error: unknown, { id: delivery }: Delivery, { target }: Route, { log }: DeliverDeps): Sent {
  log.error({ error: String(error), delivery, resource: target.fullname }, 'sending failed')
  return { kind: 'later', reason: 'The message could not be prepared for its channel.' }
}

/** People look at the request and the answer of attempts that failed. Storing them for all others would double the writes. */
function exchangeOf(
  delivery: Delivery,
  outcome: Sent,
  { target, destination }: Route,
  { destinationDeps, log }: DeliverDeps,
): Attempted['exchange'] {
  try {
    return describeExchange(destination, delivery, target, destinationDeps, outcome.answer)
  } catch (error) {
    // The attempt must be recorded in any case, or the delivery would be sent again and again.
    log.error({ error: String(error), delivery: delivery.id }, 'the request of a failed attempt cannot be shown')
    return undefined
  }
}
