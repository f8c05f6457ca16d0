import type { TurnResult } from './child-process.ts'
import { addResults, type Job } from './job.ts'
import { readAnswer } from './read-answer.ts'
import { failures, type ScriptResult } from './script-result.ts'

const pointsForOverLimit = 1
const pointsForLostProcess = 2

/**
 * Records the results of a turn in its job and returns the strike points for the script. If the process gave no answer,
 * the cause may be outside the script. So several items are then run one by one, and a single item is run again once,
 * unless the script already has strikes or certainly used its CPU time.
 */
export function recordTurn(job: Job, itemCount: number, turnResult: TurnResult, hasStrikes: boolean): number {
  const results = resultsOf(turnResult, itemCount)
  if (results) {
    addResults(job, results)
    return results.filter(isOverLimit).length * pointsForOverLimit
  }
  if (itemCount > 1) job.isOneByOne = true
  else if (!job.isRetry && !hasStrikes && !isCertainlyOverdue(turnResult)) job.isRetry = true
  else addResults(job, [turnResult.kind === 'killed' ? failures.killed : failures.crashed(reasonOf(turnResult))])
  return pointsForLostProcess
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

function isCertainlyOverdue(turnResult: TurnResult): boolean {
  return turnResult.kind === 'killed' && turnResult.isCertain
}

function isOverLimit(result: ScriptResult): boolean {
  return !result.ok && (result.kind === 'timeout' || result.kind === 'memory' || result.kind === 'crash')
}

function reasonOf(turnResult: TurnResult): string {
  return turnResult.kind === 'ended' ? turnResult.reason : 'it gave an invalid answer'
}
