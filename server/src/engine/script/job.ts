import { limits } from './limits.ts'
import type { ScriptResult } from './script-result.ts'

export type JobItem = { index: number; nowMs: number; context: Buffer }

/** One call of `run`. Its items wait until they have a result, which may take several turns. */
export type Job = {
  /** The code, which is also the script's identity. */
  script: string
  cpuMsMax: number
  waiting: JobItem[]
  results: ScriptResult[]
  /** Set after a turn without an answer. The items then run one by one, to find the one that breaks the process. */
  isOneByOne: boolean
  /** The first waiting item runs again, because its failure may have a cause outside the script. */
  isRetry: boolean
  /** The last turn got no CPU time. */
  wasStarved: boolean
  done(results: ScriptResult[]): void
}

/** Returns the next items of a job, as many as fit into one turn. */
export function nextItems(job: Job): JobItem[] {
  let bytes = 0
  const itemsMax = job.isOneByOne ? 1 : limits.turnItems
  const fits = (item: JobItem, index: number) => {
    bytes += item.context.length
    return index === 0 || (index < itemsMax && bytes <= limits.turnBytes)
  }
  const end = job.waiting.findIndex((item, index) => !fits(item, index))
  return end < 0 ? job.waiting : job.waiting.slice(0, end)
}

/** Records the results of the first waiting items. */
export function addResults(job: Job, results: readonly ScriptResult[]): void {
  for (const [at, item] of job.waiting.splice(0, results.length).entries()) {
    const result = results[at]
    if (result) job.results[item.index] = result
  }
  job.isRetry = false
  job.wasStarved = false
}

/** Gives all waiting items the same result, without a turn. */
export function finishAll(job: Job, result: ScriptResult): void {
  addResults(
    job,
    job.waiting.map(() => result),
  )
}
