import type { ScriptResult } from './index.ts'
import { limits } from './limits.ts'

export type Item = { index: number; nowMs: number; context: Buffer }

/** One call of `run`: items wait until they have a result, over as many turns as it takes. */
export type Job = {
  /** The code, which also names the script. */
  script: string
  /** See keeps-to-itself.ts. */
  keepsToItself: boolean
  cpuMsMax: number
  waiting: Item[]
  results: ScriptResult[]
  /** After a turn without an answer the items go one by one, to find out which is to blame. */
  isCareful: boolean
  isSecondTry: boolean
  done(results: ScriptResult[]): void
}

/** The next items of a job, as many as fit a turn. */
export function nextItems(job: Job): Item[] {
  let bytes = 0
  const most = job.isCareful ? 1 : limits.turnItems
  const fits = (item: Item, index: number) => {
    bytes += item.context.length
    return index === 0 || (index < most && bytes <= limits.turnBytes)
  }
  const end = job.waiting.findIndex((item, index) => !fits(item, index))
  return end < 0 ? job.waiting : job.waiting.slice(0, end)
}

/** The first items have their results. */
export function giveResults(job: Job, results: readonly ScriptResult[]): void {
  for (const [at, item] of job.waiting.splice(0, results.length).entries()) {
    const result = results[at]
    if (result) job.results[item.index] = result
  }
  job.isSecondTry = false
}

/** All that wait get the same result without a turn. */
export function takeAll(job: Job, result: ScriptResult): void {
  giveResults(
    job,
    job.waiting.map(() => result),
  )
}
