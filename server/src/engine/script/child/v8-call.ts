import type { Called } from './engine.ts'
import { readTold, type Told, timeout } from './told.ts'
import type { Question } from './v8-world.ts'

/** Asks a world, and throws when it takes longer or fails. */
export type Ask = (question: Question, timeoutMs: number, ...values: (string | number)[]) => string

/** Our own code, over strings that the tenant chose: quick, but not without end. */
const ownMs = 1_000

/** One call of a script, its promises included, and what it logged. `isSpent` when its world was stopped midway. */
export function callWorld(ask: Ask, json: string, nowMs: number, wallMs: number): { called: Called; isSpent: boolean } {
  const { told, isSpent } = run(ask, json, nowMs, wallMs)
  const settled = told.outcome === 'pending' && !isSpent ? listen(ask('finish', ownMs)) : told
  const outcome = settled.outcome === 'pending' ? timeout : settled.outcome
  const logs = settled.hasLogs || outcome === timeout ? askAgain(ask, 'logs') : ''
  return { called: logs ? { ...outcome, logs: Buffer.from(logs) } : outcome, isSpent }
}

/**
 * V8 runs the jobs that a script left behind before it comes back. When one of them fails or has no end, what the
 * script itself told still holds.
 */
function run(ask: Ask, json: string, nowMs: number, wallMs: number): { told: Told; isSpent: boolean } {
  const began = performance.now()
  try {
    return { told: listen(ask('run', wallMs, json, nowMs)), isSpent: false }
  } catch (error) {
    // Its message may be that of a failed job instead.
    const isSpent = performance.now() - began >= wallMs
    const text = askAgain(ask, 'told')
    if (text === '' && !isSpent) throw error
    return { told: text === '' ? overdue : listen(text), isSpent }
  }
}

const overdue: Told = { outcome: timeout, hasLogs: true }

/** The failures of jobs that were left behind can come up with the next question too. */
function askAgain(ask: Ask, question: Question): string {
  try {
    return ask(question, ownMs)
  } catch {
    return ''
  }
}

function listen(text: string): Told {
  return readTold(Buffer.from(text))
}
