import type { PgBoss } from 'pg-boss'
import type { Claimed, Queue } from './boss.ts'

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
type Active<T> = { job: Fetched<T>; claim: AbortController; done: Promise<void> }

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
  const active = new Map<string, Active<T>>()
  const bell = makeBell()
  let isStopping = false

  const begin = (job: Fetched<T>) => {
    const claim = new AbortController()
    const { id, retryCount, data } = job
    const done = handle({ queue, id, retryCount, data, signal: claim.signal })
      .catch((error: unknown) => (claim.signal.aborted ? undefined : giveBack(boss, queue, job, error, options.warn)))
      .finally(() => {
        active.delete(id)
        bell.ring()
      })
    active.set(id, { job, claim, done })
  }
  const fill = async (): Promise<boolean> => {
    const room = Math.min(options.slots - active.size, options.batchSize)
    if (room <= 0) return false
    const ignoreGroups = fullGroups(active, options.perGroup)
    const jobs: Fetched<T>[] = await boss.fetch<T>(queue, { batchSize: room, ignoreGroups })
    for (const job of jobs) begin(job)
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
  const beat = setInterval(() => void refresh(boss, queue, active, options.warn), heartbeatMs)
  const running = run()
  return {
    wake: bell.ring,
    async stop() {
      isStopping = true
      bell.ring()
      await running
      await within(Promise.all([...active.values()].map(({ done }) => done)), stopMs)
      clearInterval(beat)
      const left = [...active.values()]
      for (const { claim } of left) claim.abort(new Error('the service is stopping'))
      if (left.length > 0) await boss.fail(queue, left.map(attemptOf), { message: 'the service stopped' })
    },
  }
}

function fullGroups<T>(active: Map<string, Active<T>>, perGroup: number): string[] {
  const counts = new Map<string, number>()
  for (const { job } of active.values())
    if (job.groupId) counts.set(job.groupId, (counts.get(job.groupId) ?? 0) + 1)
  return [...counts].filter(([, count]) => count >= perGroup).map(([group]) => group)
}

/** A claim that is no longer ours is told so: its work would be thrown away. */
async function refresh<T>(
  boss: PgBoss,
  queue: Queue,
  active: Map<string, Active<T>>,
  warn: (line: string) => void,
): Promise<void> {
  const held = [...active.values()]
  if (held.length === 0) return
  try {
    const done: { affected?: number; settled?: string[] } = await boss.touch(queue, held.map(attemptOf))
    if (!done.settled) return
    const kept = new Set(done.settled)
    for (const { job, claim } of held)
      if (!kept.has(job.id) && active.has(job.id)) claim.abort(new Error('the claim has lapsed'))
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

function attemptOf<T>({ job: { id, retryCount } }: Active<T>) {
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

/** Waits until it rings or the time is over; a ring while nobody waits is not lost. */
function makeBell() {
  let hasRung = false
  let answer: (() => void) | undefined
  return {
    ring() {
      hasRung = true
      answer?.()
    },
    async wait(ms: number): Promise<void> {
      if (!hasRung) {
        const { promise, resolve } = Promise.withResolvers<void>()
        const timer = setTimeout(resolve, ms)
        answer = resolve
        await promise
        clearTimeout(timer)
        answer = undefined
      }
      hasRung = false
    },
  }
}
