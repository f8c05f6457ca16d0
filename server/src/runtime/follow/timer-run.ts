import { timerItem } from '../../engine/sources/timer.ts'
import { makeWakeSignal } from '../../store/core/wake-signal.ts'
import type { Held } from '../../store/following/followers.ts'
import { LeaseLost, requireLease } from '../../store/following/lease.ts'
import type { RuntimeDeps } from '../deps.ts'
import { addJobs, type Fairness, jobsOf, type QueuedJob } from '../jobs/index.ts'
import type { Live } from '../listeners/index.ts'

export const timerFollower = 'timer'

const lookMs = 200
type Due = { trigger: Live; tickMs: number }

/** All timers, followed as one more source: a tick is noted in the commit that makes work of it, so it comes once. */
export class TimerRun {
  readonly held: Held
  readonly #deps: RuntimeDeps
  readonly #fairness: Fairness
  readonly #wakeSignal = makeWakeSignal()
  #ticked: Map<string, number> | undefined
  #isStopping = false
  #isOver = false
  #done: Promise<void> = Promise.resolve()

  constructor(deps: RuntimeDeps, held: Held, fairness: Fairness) {
    this.#deps = deps
    this.held = held
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
        await this.look()
      } catch (error) {
        if (error instanceof LeaseLost) return
        // What the store holds is read again: it may have kept what was answered by an error.
        this.#ticked = undefined
        this.#deps.log.warn({ error: String(error) }, 'timers failed')
      }
      await this.#wakeSignal.wait(lookMs)
    }
  }

  /** Ticks that are due now, each once; of several that were missed only the last, late. */
  async look(): Promise<void> {
    const { store, listeners, clock, crashPoint } = this.#deps
    await listeners.refresh()
    this.#ticked ??= millisecondsOf(await store.timers.list())
    const ticked = this.#ticked
    const nowMs = clock().getTime()
    const triggers = [...listeners.timers()]
    const live = new Set(triggers.map(({ id }) => id))
    const gone = [...ticked.keys()].filter((id) => !live.has(id))
    const begun = triggers.filter(({ id }) => !ticked.has(id)).map((trigger) => firstMark(trigger, nowMs))
    const marks = new Map(begun.map(({ trigger, tickMs }) => [trigger.id, tickMs]))
    const due = triggers.flatMap((trigger) => dueTick(trigger, ticked.get(trigger.id) ?? marks.get(trigger.id), nowMs))
    if (begun.length + gone.length + due.length === 0) return
    for (const { trigger, tickMs } of due) marks.set(trigger.id, tickMs)
    await store.tx(async (store) => {
      await requireLease(store, this.held)
      await store.timers.set([...marks].map(([triggerId, tickMs]) => ({ triggerId, tickedAt: new Date(tickMs) })))
      await store.timers.remove(gone)
      await addJobs(
        store,
        due.map((one) => this.#jobsOf(one)),
      )
      await crashPoint('timer.beforeCommit')
    })
    await crashPoint('timer.afterCommit')
    for (const [id, tickMs] of marks) ticked.set(id, tickMs)
    for (const id of gone) ticked.delete(id)
  }

  #jobsOf({ trigger, tickMs }: Due): QueuedJob[] {
    const item = timerItem(tickMs)
    const listeners = this.#deps.listeners.concernedBy(trigger, item)
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

function dueTick(trigger: Live, before: number | undefined, nowMs: number): Due[] {
  const intervalMs = intervalOf(trigger)
  const tickMs = Math.floor(nowMs / intervalMs) * intervalMs
  return before !== undefined && tickMs > before ? [{ trigger, tickMs }] : []
}

/** As if it had ticked before anybody listened: the first tick is the boundary after that. */
function firstMark(trigger: Live, nowMs: number): Due {
  const intervalMs = intervalOf(trigger)
  const since = Math.min(trigger.since, nowMs)
  return { trigger, tickMs: Math.floor(since / intervalMs) * intervalMs }
}

function intervalOf({ feed }: Live): number {
  return feed.kind === 'timer' ? feed.intervalMs : Number.POSITIVE_INFINITY
}

function millisecondsOf(rows: ReadonlyMap<string, Date>): Map<string, number> {
  return new Map([...rows].map(([id, at]) => [id, at.getTime()]))
}
