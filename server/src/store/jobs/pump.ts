import type { PgBoss } from 'pg-boss'
import { makeBell } from '../core/notifications.ts'
import { unpack } from '../core/packing.ts'
import type { Claimed, Queue } from './job-queue.ts'

export type PumpOptions = {
  /** Jobs worked on at once. */
  slots: number
  /** Jobs claimed at once. */
  batchSize: number
  /** Of the slots, how many the jobs of one group may take: what is slow leaves room for the others. */
  perGroup: number
  /** How long to wait where no notification tells of new jobs. */
  pollMs?: number
}
export type Pump = { wake(): void; stop(): Promise<void> }
type Fetched<T> = { id: string; retryCount: number; data: T; groupId?: string | null }
/** Without `done` it waits: jobs of its group have all the slots they may. */
type Held<T> = { job: Fetched<T>; claim: AbortController; done?: Promise<void> }

/** How long a claim lives without a heartbeat is the queue's: ten seconds. */
const heartbeatMs = 3_000
const pollDefaultMs = 500
/** How long what is under way may take when the service stops, before it is left to others. */
const stopMs = 3_000

/**
 * Claims jobs while there is room, and works on each by itself: one that takes long holds one slot and nothing else.
 * Whoever handles a job settles it in his own transaction; a job whose handling throws is tried again later.
 */
export function startPump<T>(
  boss: PgBoss,
  queue: Queue,
  options: PumpOptions & { warn(line: string): void },
  handle: (job: Claimed<T>) => Promise<void>,
): Pump {
  const held = new Map<string, Held<T>>()
  const bell = makeBell()
  let isStopping = false

  const begin = (one: Held<T>) => {
    const { id, retryCount, data } = one.job
    const { signal } = one.claim
    const work = async () => handle({ queue, id, retryCount, data: unpack(data), signal })
    one.done = work()
      .catch((error: unknown) => (signal.aborted ? undefined : giveBack(boss, queue, one.job, error, options.warn)))
      .finally(() => {
        held.delete(id)
        bell.ring()
      })
  }
  const beginAll = () => {
    const load = loadOf(held.values())
    for (const one of held.values()) {
      if (one.done || load.of(one.job) >= options.perGroup) continue
      begin(one)
      load.add(one.job)
    }
    return load
  }
  const fill = async (): Promise<boolean> => {
    const load = beginAll()
    const room = Math.min(options.slots - load.running, options.batchSize)
    if (room <= 0) return false
    const jobs: Fetched<T>[] = await boss.fetch<T>(queue, {
      batchSize: room,
      ignoreGroups: load.full(options.perGroup),
    })
    for (const job of jobs) held.set(job.id, { job, claim: new AbortController() })
    beginAll()
    return jobs.length === room
  }
  const run = async () => {
    while (!isStopping) {
      const mayHoldMore = await fill().catch((error: unknown) => {
        options.warn(`jobs of ${queue}: ${messageOf(error)}`)
        return false
      })
      if (!mayHoldMore) await bell.wait(options.pollMs ?? pollDefaultMs)
    }
  }
  const beat = setInterval(() => void refresh(boss, queue, held, options.warn), heartbeatMs)
  const running = run()
  return {
    wake: bell.ring,
    async stop() {
      isStopping = true
      bell.ring()
      await running
      await within(Promise.all([...held.values()].map(({ done }) => done)), stopMs)
      clearInterval(beat)
      const left = [...held.values()]
      for (const { claim } of left) claim.abort(new Error('the service is stopping'))
      if (left.length > 0) await boss.fail(queue, left.map(attemptOf), { message: 'the service stopped' })
    },
  }
}

/** How many jobs are worked on, in all and of each group; what has no group is a group of its own. */
function loadOf<T>(held: Iterable<Held<T>>) {
  const counts = new Map<string, number>()
  const load = {
    running: 0,
    of: ({ groupId }: Fetched<T>) => (groupId ? (counts.get(groupId) ?? 0) : 0),
    add(job: Fetched<T>) {
      load.running++
      if (job.groupId) counts.set(job.groupId, load.of(job) + 1)
    },
    full: (perGroup: number) => [...counts].filter(([, count]) => count >= perGroup).map(([group]) => group),
  }
  for (const { job, done } of held) if (done) load.add(job)
  return load
}

/** A claim that is no longer ours is told so: its work would be thrown away. */
async function refresh<T>(
  boss: PgBoss,
  queue: Queue,
  held: Map<string, Held<T>>,
  warn: (line: string) => void,
): Promise<void> {
  const all = [...held.values()]
  if (all.length === 0) return
  try {
    const done: { affected?: number; settled?: string[] } = await boss.touch(queue, all.map(attemptOf))
    if (!done.settled) return
    const kept = new Set(done.settled)
    for (const { job, claim } of all)
      if (!kept.has(job.id) && held.has(job.id)) claim.abort(new Error('the claim has lapsed'))
  } catch (error) {
    warn(`heartbeat of ${queue}: ${messageOf(error)}`)
  }
}

async function giveBack<T>(
  boss: PgBoss,
  queue: Queue,
  { id, retryCount }: Fetched<T>,
  error: unknown,
  warn: (line: string) => void,
): Promise<void> {
  warn(`a job of ${queue} is tried again: ${messageOf(error)}`)
  await boss.fail(queue, { id, retryCount }, { message: messageOf(error) }).catch((failure: unknown) => {
    // Its heartbeat ends now, so it is claimed again all the same.
    warn(`a job of ${queue} could not be given back: ${messageOf(failure)}`)
  })
}

function attemptOf<T>({ job: { id, retryCount } }: Held<T>) {
  return { id, retryCount }
}

async function within(work: Promise<unknown>, ms: number): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  await Promise.race([work, late])
  clearTimeout(timer)
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
