import type { PgBoss } from 'pg-boss'
import { unpack } from '../core/packing.ts'
import { makeWakeSignal } from '../core/wake-signal.ts'
import type { ClaimedJob, QueueName } from './job.ts'

export type PumpOptions = {
  /** How many jobs the pump handles at the same time. */
  slots: number
  /** How many jobs one query claims. */
  batchSize: number
  /** How many slots the jobs of one group may take, so that a slow group leaves slots for the others. */
  perGroup: number
  /** The time to the next poll if no notification arrives. */
  findPollMs?: () => Promise<number>
  /** The end of a job lets the next job of its key start. */
  isOrdered?: boolean
}
export type Pump = {
  wake(): void
  /** Polls at this time at the latest. */
  wakeAt(at: Date): void
  stop(): Promise<void>
}
type FetchedJob<T> = { id: string; retryCount: number; data: T; groupId?: string | null | undefined }
/** A claimed job. Without `done` it has not started, because its group uses all the slots it may take. */
type HeldJob<T> = { job: FetchedJob<T>; claim: AbortController; done?: Promise<void> }

/** The queue ends a claim after ten seconds without a heartbeat. */
const heartbeatMs = 3_000
const pollDefaultMs = 500
const askAgainMs = 1_000
/** How long `stop` waits for running jobs before it releases them for other processes. */
const stopTimeoutMs = 3_000

/**
 * Claims jobs while slots are free and handles each job separately, so that a slow job occupies one slot only.
 * The handler finishes its job in its own transaction. When the handler throws, the job is retried later.
 */
export function startPump<T>(
  boss: PgBoss,
  queue: QueueName,
  options: PumpOptions & { warn(line: string): void },
  handle: (job: ClaimedJob<T>) => Promise<void>,
): Pump {
  const held = new Map<string, HeldJob<T>>()
  const wakeSignal = makeWakeSignal()
  let isStopping = false
  let askedAt = Number.NEGATIVE_INFINITY
  let wakeAtMs = Number.POSITIVE_INFINITY
  /** The last claim may have left jobs in the queue. Otherwise the end of a job needs no claim: a new job wakes the pump. */
  let mayHaveLeftJobs = true
  const wakeAt = (at: Date) => {
    if (at.getTime() >= wakeAtMs) return
    wakeAtMs = at.getTime()
    wakeSignal.wake()
  }

  const startJob = (heldJob: HeldJob<T>) => {
    const { id, retryCount, data } = heldJob.job
    const { signal } = heldJob.claim
    const work = async () => handle({ queue, id, retryCount, data: unpack(data), signal })
    heldJob.done = work()
      .catch((error: unknown) =>
        signal.aborted ? undefined : releaseJob(boss, queue, heldJob.job, error, options.warn),
      )
      .finally(() => {
        // The claim may have expired, and this pump may have claimed the job again.
        if (held.get(id) === heldJob) held.delete(id)
        if (mayHaveLeftJobs || options.isOrdered) wakeSignal.wake()
        else if (!isStopping) startWaiting()
      })
  }
  const startWaiting = () => {
    const load = measureLoad(held.values())
    for (const heldJob of held.values()) {
      if (heldJob.done || load.of(heldJob.job) >= options.perGroup) continue
      startJob(heldJob)
      load.add(heldJob.job)
    }
    return load
  }
  const fill = async (): Promise<boolean> => {
    const load = startWaiting()
    const freeSlots = Math.min(options.slots - load.running, options.batchSize)
    mayHaveLeftJobs = true
    if (freeSlots <= 0) return false
    const ignoreGroups = load.fullGroups(options.perGroup)
    const jobs: FetchedJob<T>[] = await boss.fetch<T>(queue, { batchSize: freeSlots, ignoreGroups })
    mayHaveLeftJobs = jobs.length === freeSlots || ignoreGroups.length > 0
    for (const job of jobs) held.set(job.id, { job, claim: new AbortController() })
    startWaiting()
    return jobs.length === freeSlots
  }
  const run = async () => {
    while (!isStopping) {
      const mayClaimMore = await fill().catch((error: unknown) => {
        options.warn(`cannot claim jobs of ${queue}: ${messageOf(error)}`)
        return false
      })
      if (!mayClaimMore) await wait()
    }
  }
  /** Asks for the time of the next poll only when the pump had nothing to do, and at most once a second. */
  const wait = async () => {
    const pollMs = held.size > 0 || performance.now() - askedAt < askAgainMs ? pollDefaultMs : await nextPollMs()
    const ms = Math.min(pollMs, Math.max(0, wakeAtMs - Date.now()))
    await wakeSignal.wait(ms)
    if (wakeAtMs <= Date.now()) wakeAtMs = Number.POSITIVE_INFINITY
  }
  const nextPollMs = async () => {
    askedAt = performance.now()
    return (await options.findPollMs?.().catch(() => undefined)) ?? pollDefaultMs
  }
  const heartbeat = setInterval(() => void sendHeartbeats(boss, queue, held, options.warn), heartbeatMs)
  const running = run()
  return {
    wake: wakeSignal.wake,
    wakeAt,
    async stop() {
      isStopping = true
      wakeSignal.wake()
      await running
      await waitAtMost(Promise.all([...held.values()].map(({ done }) => done)), stopTimeoutMs)
      clearInterval(heartbeat)
      const left = [...held.values()]
      for (const { claim } of left) claim.abort(new Error('the service is stopping'))
      if (left.length > 0) await boss.fail(queue, left.map(attemptIn), { message: 'the service stopped' })
    },
  }
}

/** Counts the running jobs, in total and per group. A job without a group counts only towards the total. */
function measureLoad<T>(held: Iterable<HeldJob<T>>) {
  const counts = new Map<string, number>()
  const load = {
    running: 0,
    of: ({ groupId }: FetchedJob<T>) => (groupId ? (counts.get(groupId) ?? 0) : 0),
    add(job: FetchedJob<T>) {
      load.running++
      if (job.groupId) counts.set(job.groupId, load.of(job) + 1)
    },
    fullGroups: (perGroup: number) => [...counts].filter(([, count]) => count >= perGroup).map(([group]) => group),
  }
  for (const { job, done } of held) if (done) load.add(job)
  return load
}

/** Sends the heartbeats. It aborts the jobs whose claims expired, because their results would be discarded. */
async function sendHeartbeats<T>(
  boss: PgBoss,
  queue: QueueName,
  held: Map<string, HeldJob<T>>,
  warn: (line: string) => void,
): Promise<void> {
  const all = [...held.values()]
  if (all.length === 0) return
  try {
    const done: { affected?: number; settled?: string[] } = await boss.touch(queue, all.map(attemptIn))
    if (!done.settled) return
    const kept = new Set(done.settled)
    for (const { job, claim } of all)
      if (!kept.has(job.id) && held.has(job.id)) claim.abort(new Error('the claim has expired'))
  } catch (error) {
    warn(`heartbeat of ${queue}: ${messageOf(error)}`)
  }
}

async function releaseJob<T>(
  boss: PgBoss,
  queue: QueueName,
  { id, retryCount }: FetchedJob<T>,
  error: unknown,
  warn: (line: string) => void,
): Promise<void> {
  warn(`a job of ${queue} failed and will be retried: ${messageOf(error)}`)
  await boss.fail(queue, { id, retryCount }, { message: messageOf(error) }).catch((failure: unknown) => {
    // The job is still retried: its claim expires because its heartbeats stop.
    warn(`a job of ${queue} could not be released: ${messageOf(failure)}`)
  })
}

function attemptIn<T>({ job: { id, retryCount } }: HeldJob<T>) {
  return { id, retryCount }
}

async function waitAtMost(work: Promise<unknown>, ms: number): Promise<void> {
  const { promise: timeout, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  await Promise.race([work, timeout])
  clearTimeout(timer)
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
