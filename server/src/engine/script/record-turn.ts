import type { TurnResult } from './child-process.ts'
import { addResults, finishAll, type Job } from './job.ts'
import { readAnswer } from './read-answer.ts'
import { failures, type ScriptResult } from './script-result.ts'

const pointsForOverLimit = 1
const pointsForLostProcess = 2

/** What a turn says about its script: its strike points, and whether it keeps to its limits, if the turn shows that. */
export type TurnVerdict = { points: number; keepsLimits?: boolean }

/**
 * Records the results of a turn in its job. A failure may have a cause outside the script, such as a busy machine. So an
 * item that exceeded its time, or during which its process died or hung, runs once more, unless the script already has
 * strikes. If a process died or hung during several items, they run one by one.
 */
export function recordTurn(job: Job, itemCount: number, turnResult: TurnResult, hasStrikes: boolean): TurnVerdict {
  const results = resultsOf(turnResult, itemCount)
  if (results) return recordResults(job, results, hasStrikes)
  if (isStarved(turnResult)) return recordStarved(job)
  if (itemCount > 1) job.isOneByOne = true
  else if (!job.isRetry && !hasStrikes) job.isRetry = true
  else addResults(job, [turnResult.kind === 'killed' ? failures.killed : failures.crashed(reasonOf(turnResult))])
  return { points: pointsForLostProcess, keepsLimits: false }
}

/** Only the last result of an answer can be over a limit: the process ends its turn there. */
function recordResults(job: Job, results: readonly ScriptResult[], hasStrikes: boolean): TurnVerdict {
  const last = results.at(-1)
  const isRetry = job.isRetry && results.length === 1
  if (last && isTimeout(last) && !isRetry && !hasStrikes) {
    addResults(job, results.slice(0, -1))
    job.isRetry = true
    return { points: 0, keepsLimits: false }
  }
  addResults(job, results)
  const points = results.filter(isOverLimit).length * pointsForOverLimit
  return { points, keepsLimits: points === 0 }
}

/** The machine had no CPU time for the process. The script is not to blame, and the caller may run it later. */
function recordStarved(job: Job): TurnVerdict {
  if (job.wasStarved) finishAll(job, failures.starved)
  else job.wasStarved = true
  return { points: 0 }
}

function resultsOf(turnResult: TurnResult, itemCount: number): ScriptResult[] | undefined {
  if (turnResult.kind !== 'answer') return undefined
  try {
    const results = readAnswer(turnResult.answer, turnResult.body)
    return results.length > 0 && results.length <= itemCount ? results : undefined
  } catch {
    return undefined
  }
}

function isStarved(turnResult: TurnResult): boolean {
  return turnResult.kind === 'killed' && turnResult.lateness === 'starved'
}

function isTimeout(result: ScriptResult): boolean {
  return !result.ok && result.kind === 'timeout'
}

function isOverLimit(result: ScriptResult): boolean {
  return !result.ok && (result.kind === 'timeout' || result.kind === 'memory' || result.kind === 'crash')
}

function reasonOf(turnResult: TurnResult): string {
  return turnResult.kind === 'ended' ? turnResult.reason : 'it gave an invalid answer'
}
