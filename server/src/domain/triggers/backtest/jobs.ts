import { randomUUID } from 'node:crypto'
import type { Store } from '../../../store/index.ts'
import type { BacktestEnd, BacktestProgress } from '../../../store/triggers/backtests.ts'
import { Refusal } from '../../refusal.ts'

/** What a job does. It ends early when `signal` is aborted, and answers what it has until then. */
export type JobWork = (job: { signal: AbortSignal; report(progress: BacktestProgress): void }) => Promise<unknown>
type NewJob = { accountId: string; workspaceId: string | null; fromBlock: number; toBlock: number }

/**
 * The backtests over long ranges that this process runs: a few at a time, one of each account. Its jobs end with the process; a
 * row without a heartbeat tells that. Any process can answer how far a job is, or ask it to stop.
 */
export type BacktestJobs = { start(job: NewJob, work: JobWork): Promise<string> }

type Job = NewJob & {
  id: string
  work: JobWork
  progress: BacktestProgress
  stopping: AbortController
  isRunning: boolean
}
type Deps = {
  store: Store
  clock: () => Date
  /** Aborted when the service begins to stop. */
  draining: AbortSignal
  warn(message: string): void
}

const runningMax = 2
const beatMs = 1_000
const stopped = 'The service was stopped. Begin the backtest again.'

export function makeBacktestJobs({ store, clock, draining, warn }: Deps): BacktestJobs {
  const jobs = new Set<Job>()
  const startNext = () => {
    const running = [...jobs].filter(({ isRunning }) => isRunning)
    const isFree = ({ isRunning, accountId }: Job) =>
      !isRunning && running.every((each) => each.accountId !== accountId)
    const next = running.length < runningMax ? [...jobs].find(isFree) : undefined
    if (!next) return
    next.isRunning = true
    void run(next)
    startNext()
  }
  const run = async (job: Job) => {
    const end = await endOf(job, draining)
    await orWarn(() => store.backtests.end(job.id, job.progress, end, clock()))
    jobs.delete(job)
    startNext()
  }
  const beat = async (job: Job) => {
    const goesOn = await orWarn(() => store.backtests.beat(job.id, job.progress, job.isRunning, clock()))
    if (goesOn === false) job.stopping.abort()
    if (!jobs.has(job) || draining.aborted) return
    // A job that waits does not begin any more: it ends at once.
    if (job.stopping.signal.aborted && !job.isRunning) {
      jobs.delete(job)
      await orWarn(() => store.backtests.end(job.id, job.progress, { state: 'stopped' }, clock()))
    } else setTimeout(() => void beat(job), beatMs).unref()
  }
  const orWarn = async <T>(write: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await write()
    } catch (error) {
      if (!draining.aborted) warn(error instanceof Error ? error.message : String(error))
      return undefined
    }
  }
  draining.addEventListener('abort', () => {
    for (const { stopping } of jobs) stopping.abort()
  })
  return {
    async start(job, work) {
      const id = randomUUID()
      await store.backtests.add({ id, ...job }, clock())
      const progress = { checkedBlocks: 0, fired: 0 }
      const added: Job = { ...job, id, work, progress, stopping: new AbortController(), isRunning: false }
      jobs.add(added)
      startNext()
      void beat(added)
      return id
    },
  }
}

async function endOf(job: Job, draining: AbortSignal): Promise<BacktestEnd> {
  const { signal } = job.stopping
  const report = ({ checkedBlocks, fired }: BacktestProgress) => {
    job.progress = { checkedBlocks, fired }
  }
  try {
    const result = await job.work({ signal, report })
    if (draining.aborted) return { state: 'failed', error: stopped }
    return { state: signal.aborted ? 'stopped' : 'done', result }
  } catch (error) {
    if (draining.aborted) return { state: 'failed', error: stopped }
    if (signal.aborted) return { state: 'stopped' }
    return { state: 'failed', error: error instanceof Refusal ? error.message : 'The backtest failed. Try it again.' }
  }
}
