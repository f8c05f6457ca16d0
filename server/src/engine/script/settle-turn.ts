import type { Answered } from './child-process.ts'
import { failures } from './failures.ts'
import type { ScriptResult } from './index.ts'
import { giveResults, type Job } from './job.ts'
import { readAnswer } from './read-answer.ts'

const overLimit = 1
const brokenProcess = 2

/**
 * What a turn means for its job, and how many points it costs the script. A process that did not answer may have been
 * unlucky: several items are then tried one by one, and one alone gets a second try unless its script struck before or
 * surely used its time.
 */
export function settleTurn(job: Job, itemCount: number, answered: Answered, hasStrikes: boolean): number {
  const results = resultsOf(answered, itemCount)
  if (results) {
    giveResults(job, results)
    return results.filter(isOverLimit).length * overLimit
  }
  if (itemCount > 1) job.isCareful = true
  else if (!job.isSecondTry && !hasStrikes && !isGuilty(answered)) job.isSecondTry = true
  else giveResults(job, [answered.kind === 'killed' ? failures.killed : failures.crashed(reasonOf(answered))])
  return brokenProcess
}

function resultsOf(answered: Answered, itemCount: number): ScriptResult[] | undefined {
  if (answered.kind !== 'answer') return undefined
  try {
    const results = readAnswer(answered.answer, answered.body)
    return results.length > 0 && results.length <= itemCount ? results : undefined
  } catch {
    return undefined
  }
}

function isGuilty(answered: Answered): boolean {
  return answered.kind === 'killed' && answered.isCertain
}

function isOverLimit(result: ScriptResult): boolean {
  return !result.ok && (result.kind === 'timeout' || result.kind === 'memory' || result.kind === 'crash')
}

function reasonOf(answered: Answered): string {
  return answered.kind === 'ended' ? answered.reason : 'it gave no answer that makes sense'
}
