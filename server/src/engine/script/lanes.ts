import { recent } from '../base/recent.ts'
import type { Child, ChildOptions } from './child-process.ts'
import { startChild } from './child-process.ts'
import { failures } from './failures.ts'
import { fairQueue } from './fair-queue.ts'
import type { ScriptResult } from './index.ts'
import { type Job, nextItems, takeAll } from './job.ts'
import { limits } from './limits.ts'
import { settleTurn } from './settle-turn.ts'
import type { rememberStrikes } from './strikes.ts'

export type LaneOptions = {
  children: number
  idleMs: number
  waitingMax: number
  child: ChildOptions
  strikes: ReturnType<typeof rememberStrikes>
  now: () => number
}

type Slot = { child?: Child; isBusy: boolean; idle?: NodeJS.Timeout; bornMs: number }
type Lane = { queue: ReturnType<typeof fairQueue<Job>>; slots: Slot[] }

const provenKept = 20_000

/**
 * Jobs wait in one of two lanes for a process. A script is new until a turn of it went well, and new or striking ones
 * share the slow lane, so that what they do to their process costs nobody else. After each turn the job goes to the end
 * of its line.
 */
export function startLanes({ children, idleMs, waitingMax, child: childOptions, strikes, now }: LaneOptions) {
  const fast = laneOf(children)
  const slow = laneOf(1)
  const proven = recent<true>(provenKept)
  let waiting = 0
  let isClosed = false

  const add = (job: Job): void => {
    waiting += job.waiting.length
    if (!isClosed && waiting > waitingMax) finish(job, failures.overloaded)
    else proceed(job)
  }

  const finish = (job: Job, result: ScriptResult): void => {
    waiting -= job.waiting.length
    takeAll(job, result)
    job.done(job.results)
  }

  /** On to the next turn, or to the end. */
  const proceed = (job: Job): void => {
    const quarantineMs = strikes.quarantineMs(job.script)
    if (isClosed) finish(job, failures.stopping)
    else if (quarantineMs > 0 || job.waiting.length === 0) finish(job, failures.quarantined(quarantineMs))
    else enqueue(job)
  }

  const enqueue = (job: Job): void => {
    const lane = proven.has(job.script) && !strikes.has(job.script) ? fast : slow
    lane.queue.add(job)
    pump(lane)
  }

  const pump = (lane: Lane): void => {
    const free = lane.slots.filter((slot) => !slot.isBusy)
    for (const slot of free.sort((a, b) => Number(isReady(b)) - Number(isReady(a)))) {
      const job = lane.queue.take()
      if (!job) return
      void work(lane, slot, job)
    }
  }

  const work = async (lane: Lane, slot: Slot, job: Job): Promise<void> => {
    slot.isBusy = true
    clearTimeout(slot.idle)
    const before = job.waiting.length
    await takeTurn(slot, job)
    waiting -= before - job.waiting.length
    rest(slot)
    proceed(job)
    pump(lane)
  }

  const takeTurn = async (slot: Slot, job: Job): Promise<void> => {
    const child = childOf(slot)
    const reason = await child.started
    if (reason !== undefined) return takeAll(job, isClosed ? failures.stopping : failures.crashed(reason))
    const items = nextItems(job)
    const { script: code, keepsToItself, cpuMsMax } = job
    const sizes = items.map(({ context, nowMs }) => ({ bytes: context.length, nowMs }))
    const turn = { code, keepsToItself, cpuMsMax, turnCpuMs: limits.turnCpuMs, items: sizes }
    const answered = await child.turn(
      turn,
      items.map(({ context }) => context),
    )
    const points = settleTurn(job, items.length, answered, strikes.has(code))
    if (points > 0) strikes.add(code, points)
    if (points > 0) proven.delete(code)
    else proven.get(code, () => true)
    const isWornOut = answered.kind === 'answer' && answered.answer.rssBytes > childOptions.rssBytes
    if (isWornOut || now() - slot.bornMs > childOptions.lifeMs) await child.end()
  }

  /** The slot's process, started when there is none. */
  const childOf = (slot: Slot): Child => {
    if (slot.child?.isAlive()) return slot.child
    slot.bornMs = now()
    slot.child = startChild(childOptions)
    return slot.child
  }

  const rest = (slot: Slot): void => {
    slot.isBusy = false
    slot.idle = setTimeout(() => void slot.child?.end(), idleMs)
  }

  const close = async (): Promise<void> => {
    isClosed = true
    const slots = [...fast.slots, ...slow.slots]
    for (const slot of slots) clearTimeout(slot.idle)
    await Promise.all(slots.map(({ child }) => child?.end()))
    for (const lane of [fast, slow]) for (let job = lane.queue.take(); job; job = lane.queue.take()) proceed(job)
    for (const slot of slots) clearTimeout(slot.idle)
  }
  return { add, close }
}

function laneOf(size: number): Lane {
  return { queue: fairQueue<Job>(), slots: Array.from({ length: size }, () => ({ isBusy: false, bornMs: 0 })) }
}

function isReady({ child }: Slot): boolean {
  return child?.isAlive() ?? false
}
