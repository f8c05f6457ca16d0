import { makeLruCache } from '../base/lru-cache.ts'
import { type Child, type ChildOptions, startChild } from './child-process.ts'
import { finishAll, type Job, nextItems } from './job.ts'
import { limits } from './limits.ts'
import { recordTurn } from './record-turn.ts'
import { failures, type ScriptResult } from './script-result.ts'

export type LaneOptions = {
  children: number
  idleMs: number
  waitingMax: number
  child: ChildOptions
  strikes: ReturnType<typeof trackStrikes>
  now: () => number
}

type Slot = { child?: Child; isBusy: boolean; idle?: NodeJS.Timeout; startedMs: number }
type Lane = { queue: ReturnType<typeof fairQueue<Job>>; slots: Slot[] }

const provenScriptsMax = 20_000

/**
 * Runs jobs in two lanes of processes. A script is proven after a turn in which it kept to its limits. Proven scripts use the fast lane;
 * new scripts and scripts with strikes share the slow lane, so that a script that breaks its process delays no proven
 * script. A job runs for one turn, then it goes back to the end of its lane's queue.
 *
 * States of a job: waiting → in a turn → waiting … → finished. It finishes when all its items have results, or when its
 * script is in quarantine, too many items wait, or the lanes are closed.
 */
export function startLanes({ children, idleMs, waitingMax, child: childOptions, strikes, now }: LaneOptions) {
  const fast = makeLane(children)
  const slow = makeLane(1)
  const proven = makeLruCache<true>(provenScriptsMax)
  let waiting = 0
  let isClosed = false

  const add = (job: Job): void => {
    waiting += job.waiting.length
    if (!isClosed && waiting > waitingMax) finish(job, failures.overloaded)
    else continueJob(job)
  }

  const finish = (job: Job, result: ScriptResult): void => {
    waiting -= job.waiting.length
    finishAll(job, result)
    job.done(job.results)
  }

  /** Queues the job for its next turn, or finishes it. */
  const continueJob = (job: Job): void => {
    const quarantineMs = strikes.quarantineMs(job.script)
    if (isClosed) finish(job, failures.stopping)
    else if (quarantineMs > 0 || job.waiting.length === 0) finish(job, failures.quarantined(quarantineMs))
    else enqueue(job)
  }

  const enqueue = (job: Job): void => {
    const lane = proven.has(job.script) && !strikes.has(job.script) ? fast : slow
    lane.queue.add(job)
    startFreeSlots(lane)
  }

  const startFreeSlots = (lane: Lane): void => {
    const free = lane.slots.filter((slot) => !slot.isBusy)
    for (const slot of free.sort((a, b) => Number(isReady(b)) - Number(isReady(a)))) {
      const job = lane.queue.take()
      if (!job) return
      void runTurn(lane, slot, job)
    }
  }

  const runTurn = async (lane: Lane, slot: Slot, job: Job): Promise<void> => {
    slot.isBusy = true
    clearTimeout(slot.idle)
    const before = job.waiting.length
    await sendTurn(slot, job)
    waiting -= before - job.waiting.length
    releaseSlot(slot)
    continueJob(job)
    startFreeSlots(lane)
  }

  const sendTurn = async (slot: Slot, job: Job): Promise<void> => {
    const child = requireChild(slot)
    const reason = await child.started
    if (reason !== undefined) return finishAll(job, isClosed ? failures.stopping : failures.notStarted(reason))
    const items = nextItems(job)
    const { script: code, cpuMsMax } = job
    const sizes = items.map(({ context, nowMs }) => ({ bytes: context.length, nowMs }))
    const turn = { code, cpuMsMax, turnCpuMs: limits.turnCpuMs, items: sizes }
    const turnResult = await child.turn(
      turn,
      items.map(({ context }) => context),
    )
    const { points, keepsLimits } = recordTurn(job, items.length, turnResult, strikes.has(code))
    if (points > 0) strikes.add(code, points)
    if (keepsLimits) proven.get(code, () => true)
    else if (keepsLimits === false) proven.delete(code)
    const isTooLarge = turnResult.kind === 'answer' && turnResult.answer.rssBytes > childOptions.rssBytes
    if (isTooLarge || now() - slot.startedMs > childOptions.lifeMs) await child.end()
  }

  /** Returns the slot's process and starts one if there is none. */
  const requireChild = (slot: Slot): Child => {
    if (slot.child?.isAlive()) return slot.child
    slot.startedMs = now()
    slot.child = startChild(childOptions)
    return slot.child
  }

  const releaseSlot = (slot: Slot): void => {
    slot.isBusy = false
    slot.idle = setTimeout(() => void slot.child?.end(), idleMs)
  }

  const close = async (): Promise<void> => {
    isClosed = true
    const slots = [...fast.slots, ...slow.slots]
    for (const slot of slots) clearTimeout(slot.idle)
    await Promise.all(slots.map(({ child }) => child?.end()))
    for (const lane of [fast, slow]) for (let job = lane.queue.take(); job; job = lane.queue.take()) continueJob(job)
    for (const slot of slots) clearTimeout(slot.idle)
  }
  return { add, close }
}

function makeLane(size: number): Lane {
  return { queue: fairQueue<Job>(), slots: Array.from({ length: size }, () => ({ isBusy: false, startedMs: 0 })) }
}

function isReady({ child }: Slot): boolean {
  return child?.isAlive() ?? false
}

/** A queue that serves scripts round-robin, so that a script with a thousand jobs does not delay the others. */
function fairQueue<T extends { script: string }>() {
  const jobsByScript = new Map<string, T[]>()
  return {
    add: (job: T): void => {
      const jobs = jobsByScript.get(job.script)
      if (jobs) jobs.push(job)
      else jobsByScript.set(job.script, [job])
    },
    take: (): T | undefined => {
      for (const [script, jobs] of jobsByScript) {
        const job = jobs.shift()
        jobsByScript.delete(script)
        if (jobs.length > 0) jobsByScript.set(script, jobs)
        return job
      }
      return undefined
    },
  }
}

type StrikeRecord = { points: number; lastMs: number; quarantinedUntilMs: number }

export type StrikeRules = { pointsMax: number; windowMs: number; quarantineMs: number }

/** Counts strike points by script. A script with points leaves the fast lane; at `pointsMax` it is quarantined for a while. */
export function trackStrikes({ pointsMax, windowMs, quarantineMs }: StrikeRules, now: () => number) {
  const records = new Map<string, StrikeRecord>()

  const current = (script: string): StrikeRecord | undefined => {
    const record = records.get(script)
    if (record && now() >= (record.quarantinedUntilMs || record.lastMs + windowMs)) records.delete(script)
    return records.get(script)
  }

  return {
    has: (script: string): boolean => current(script) !== undefined,
    add: (script: string, points: number): void => {
      const record = current(script) ?? { points: 0, lastMs: 0, quarantinedUntilMs: 0 }
      record.points += points
      record.lastMs = now()
      if (record.points >= pointsMax && !record.quarantinedUntilMs) record.quarantinedUntilMs = now() + quarantineMs
      records.set(script, record)
      forgetOld()
    },
    /** The remaining quarantine; 0 if the script may run. */
    quarantineMs: (script: string): number => Math.max(0, (current(script)?.quarantinedUntilMs ?? 0) - now()),
  }

  function forgetOld() {
    if (records.size <= recordsMax) return
    for (const script of [...records.keys()].slice(0, recordsMax / 2)) records.delete(script)
  }
}
const recordsMax = 10_000
