import { timerItem } from '../../engine/sources/timer/timer-item.ts'
import { makeWakeSignal } from '../../store/core/wake-signal.ts'
import { type FollowerLease, LeaseLost, requireLease } from '../../store/following/followers.ts'
import type { RuntimeDeps } from '../deps.ts'
import { addJobs, type Fairness, jobsOf, type QueuedJob } from '../jobs/split.ts'
import type { RegisteredTrigger } from '../listeners/live-trigger.ts'

export const timerFollower = 'timer'

/** How often timers are checked, and how often new ones are looked for while there are none and notices of changes arrive. */
const [checkMs, checkNoneMs] = [200, 1_000]
type DueTick = { trigger: RegisteredTrigger; tickMs: number }

/**
 * Follows all timers as if they were one more source, under a lease of their own. One commit stores a tick and the jobs
 * that it causes, so each tick runs once.
 */
export class TimerRun {
  readonly lease: FollowerLease
  readonly #deps: RuntimeDeps
  readonly #fairness: Fairness
  readonly #wakeSignal = makeWakeSignal()
  #ticked: Map<string, number> | undefined
  #isStopping = false
  #isOver = false
  #done: Promise<void> = Promise.resolve()

  constructor(deps: RuntimeDeps, lease: FollowerLease, fairness: Fairness) {
    this.#deps = deps
    this.lease = lease
    this.#fairness = fairness
  }

  get isOver(): boolean {
    return this.#isOver
  }

  start(): void {
    this.#done = this.#run().finally(() => {
      this.#isOver = true
    })
  }

  /** A timer may have been added. */
  wake(): void {
    this.#wakeSignal.wake()
  }

  abandon(): void {
    this.#isStopping = true
    this.#wakeSignal.wake()
  }

  async stop(): Promise<void> {
    this.abandon()
    await this.#done
  }

  async #run(): Promise<void> {
    while (!this.#isStopping) {
      try {
        await this.runDueTicks()
      } catch (error) {
        if (error instanceof LeaseLost) return
        // The commit may have succeeded although its answer was lost, so the ticks are read again from the store.
        this.#ticked = undefined
        this.#deps.log.warn({ error: String(error) }, 'timers failed; they will be retried')
      }
      await this.#wakeSignal.wait(this.#waitMs())
    }
  }

  #waitMs(): number {
    const { listeners, store } = this.#deps
    const hasNone = listeners.timers().size === 0 && this.#ticked?.size === 0
    return hasNone && store.notifications.isUp ? checkNoneMs : checkMs
  }

  /** Queues the due tick of each timer. If several ticks were missed, only the last one runs, late. */
  async runDueTicks(): Promise<void> {
    const { store, listeners, clock, crashPoint, meter } = this.#deps
    await listeners.refreshIfNoticed()
    this.#ticked ??= millisecondsOf(await store.timers.list())
    const ticked = this.#ticked
    const nowMs = clock().getTime()
    // A subscription whose save was answered before the tick must get the tick.
    if (planTicks(listeners.timers(), ticked, nowMs).due.length > 0) await listeners.refresh()
    const { lastTicks, gone, due } = planTicks(listeners.timers(), ticked, nowMs)
    if (lastTicks.size + gone.length === 0) return
    await store.tx(async (store) => {
      await requireLease(store, this.lease)
      await store.timers.set([...lastTicks].map(([triggerId, tickMs]) => ({ triggerId, tickedAt: new Date(tickMs) })))
      await store.timers.remove(gone)
      await addJobs(
        store,
        due.map((tick) => this.#jobsOf(tick)),
      )
      await crashPoint('timer.beforeCommit')
    })
    await crashPoint('timer.afterCommit')
    meter.blocks(timerFollower, 0, due.length)
    for (const [id, tickMs] of lastTicks) ticked.set(id, tickMs)
    for (const id of gone) ticked.delete(id)
  }

  #jobsOf({ trigger, tickMs }: DueTick): QueuedJob[] {
    const item = timerItem(tickMs)
    const listeners = this.#deps.listeners.listenersFor(trigger, item)
    if (listeners.length === 0 && !trigger.hasDependents) return []
    const work = {
      source: null,
      block: null,
      nowMs: tickMs,
      depth: 0,
      matches: [{ key: String(tickMs), item, listeners }],
    }
    const cause = { parts: ['timer', tickMs], order: tickMs }
    return jobsOf(trigger, work, cause, this.#fairness)
  }
}

/** `lastTicks` are the new last ticks of new and of due timers; `gone` are the timers that no longer have listeners. */
function planTicks(timers: ReadonlySet<RegisteredTrigger>, ticked: ReadonlyMap<string, number>, nowMs: number) {
  const triggers = [...timers]
  const live = new Set(triggers.map(({ id }) => id))
  const gone = [...ticked.keys()].filter((id) => !live.has(id))
  const added = triggers.filter(({ id }) => !ticked.has(id))
  const lastTicks = new Map(added.map((trigger) => [trigger.id, tickBeforeStart(trigger, nowMs)]))
  const due = triggers.flatMap((trigger) =>
    dueTick(trigger, ticked.get(trigger.id) ?? lastTicks.get(trigger.id), nowMs),
  )
  for (const { trigger, tickMs } of due) lastTicks.set(trigger.id, tickMs)
  return { lastTicks, gone, due }
}

function dueTick(trigger: RegisteredTrigger, lastMs: number | undefined, nowMs: number): DueTick[] {
  const tickMs = lastTickMs(trigger, nowMs)
  return lastMs !== undefined && tickMs > lastMs ? [{ trigger, tickMs }] : []
}

/** A new timer counts as ticked at the last time before it got a listener, so its first tick is the next time. */
function tickBeforeStart(trigger: RegisteredTrigger, nowMs: number): number {
  return lastTickMs(trigger, Math.min(trigger.since, nowMs))
}

function lastTickMs({ feed }: RegisteredTrigger, nowMs: number): number {
  return feed.kind === 'timer' ? feed.schedule.lastTickMs(nowMs) : Number.NEGATIVE_INFINITY
}

function millisecondsOf(rows: ReadonlyMap<string, Date>): Map<string, number> {
  return new Map([...rows].map(([id, at]) => [id, at.getTime()]))
}
