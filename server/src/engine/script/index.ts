/** The only folder that runs tenants' code. It runs in child processes, inside a JavaScript engine that shares no object with Node. */

import { availableParallelism } from 'node:os'
import { makeLruCache } from '../base/lru-cache.ts'
import type { Job, JobItem } from './job.ts'
import { type StrikeRules, startLanes, trackStrikes } from './lanes.ts'
import { type ChildLimits, childLimits, limits } from './limits.ts'
import {
  type Program,
  type ReadyProgram,
  readProgram,
  type ScriptContext,
  type ScriptKind,
  serializeContext,
} from './program.ts'
import { failure, failures, type ScriptResult } from './script-result.ts'

export { mentionsNetwork, type ScriptNetwork } from './amounts/index.ts'
export type { ScriptContext, ScriptKind } from './program.ts'
export type { ScriptFailure, ScriptFailureKind, ScriptLog, ScriptResult } from './script-result.ts'

/** The clock of a script whose item has no time. It is fixed, so that the same input always gives the same output. */
export const noTimeMs = 0

export type Scripts = {
  /** Runs one script on each context, in order. Each call starts from fresh state. A failure of the script is a result too. */
  run(
    script: { kind: ScriptKind; source: string },
    contexts: readonly ScriptContext[],
    options: { nowMs: number | readonly number[]; cpuMsMax?: number },
  ): Promise<ScriptResult[]>
  close(): Promise<void>
}

export type ScriptOptions = {
  /** The number of processes for proven scripts. One more process runs all other scripts. */
  children?: number
  /** A process without work ends after this time. */
  idleMs?: number
  /** The largest number of waiting items over all scripts. */
  waitingMax?: number
  /** The wall-clock time after a deadline until a process is killed. */
  graceMs?: number
  /** The limits of one process. */
  child?: Partial<ChildLimits>
  strikes?: StrikeRules
  now?: () => number
  /** Called after each run of a script, with the time from the call of `run` to its results. */
  onRun?: (tookMs: number) => void
}

const minuteMs = 60_000
const defaultStrikes: StrikeRules = { pointsMax: 10, windowMs: 10 * minuteMs, quarantineMs: 10 * minuteMs }
/** The memory for checked scripts, about two bytes for each character: enough for tens of thousands of common size. */
const programCharsMax = 16 * 1024 * 1024

/** Starts no process. The first run starts one. */
export function startScripts(options: ScriptOptions = {}): Scripts {
  const now = options.now ?? Date.now
  const strikes = trackStrikes(options.strikes ?? defaultStrikes, now)
  const lanes = startLanes({
    children: options.children ?? availableParallelism(),
    idleMs: options.idleMs ?? minuteMs,
    waitingMax: options.waitingMax ?? 50_000,
    child: { ...childLimits, ...options.child, graceMs: options.graceMs ?? limits.graceMs },
    strikes,
    now,
  })
  const programs = makeLruCache<Program>(programCharsMax, programChars)
  return {
    run: async ({ kind, source }, contexts, { nowMs, cpuMsMax }) => {
      const program = programs.get(`${kind}:${source}`, () => readProgram(kind, source))
      if (!program.ok) return contexts.map(() => syntaxFailure(program))
      const clock = (index: number) => wholeMs(typeof nowMs === 'number' ? nowMs : nowMs[index])
      const items = contexts.map((context, index) => ({
        index,
        nowMs: clock(index),
        context: serializeContext(kind, context),
      }))
      const startedMs = performance.now()
      const results = await new Promise<ScriptResult[]>((done) =>
        lanes.add(makeJob(program, cpuMsMax ?? program.cpuMs, items, done)),
      )
      options.onRun?.(performance.now() - startedMs)
      return results
    },
    close: lanes.close,
  }
}

/** The key contains the source. */
function programChars(key: string, program: Program): number {
  const objectChars = 200
  return key.length + (program.ok ? program.code.length : program.message.length) + objectChars
}

function makeJob({ code }: ReadyProgram, cpuMsMax: number, items: JobItem[], done: Job['done']): Job {
  const results: ScriptResult[] = []
  const [waiting, tooLarge] = [items.filter(fits), items.filter((item) => !fits(item))]
  for (const { index } of tooLarge) results[index] = failures.contextTooLarge
  const progress = { isOneByOne: false, isRetry: false, wasStarved: false }
  return { script: code, cpuMsMax, waiting, results, ...progress, done }
}

function fits({ context }: JobItem): boolean {
  return context.length <= limits.contextBytes
}

function syntaxFailure({ message, position }: Extract<Program, { ok: false }>): ScriptResult {
  return { ...failure('syntax', message), ...position }
}

/** The sandbox's clock has a resolution of one millisecond. */
function wholeMs(nowMs: number | undefined): number {
  return Number.isFinite(nowMs) ? Math.trunc(nowMs ?? 0) : 0
}
