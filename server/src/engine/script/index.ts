/** The only folder that runs tenants' code: in processes of its own, in an engine inside of them that shares nothing. */

import { availableParallelism } from 'node:os'
import { recent } from '../base/recent.ts'
import { chooseEngine, type EngineChoice } from './engines.ts'
import { failure, failures } from './failures.ts'
import type { Item, Job } from './job.ts'
import { startLanes } from './lanes.ts'
import { type ChildLimits, childLimits, limits } from './limits.ts'
import { contextOf, type Program, type ReadyProgram, readProgram } from './program.ts'
import { rememberStrikes, type StrikeRules } from './strikes.ts'

export type ScriptKind = 'activation' | 'raw' | 'human' | 'source' | 'provider'
export type ScriptContext = {
  source: unknown
  inputs?: unknown
  providers?: unknown
  /** For `human` only. */
  raw?: unknown
  /** For `provider` only. */
  variables?: unknown
}
export type ScriptLog = { level: 'log' | 'info' | 'warn' | 'error' | 'debug'; message: string }
export type ScriptFailureKind =
  | 'syntax'
  | 'throw'
  | 'timeout'
  | 'memory'
  | 'output_limit'
  | 'not_json'
  | 'crash'
  | 'overloaded'
  | 'quarantined'
export type ScriptFailure = {
  ok: false
  kind: ScriptFailureKind
  message: string
  /** In the tenant's source, both from 1. */
  line?: number
  column?: number
  logs: ScriptLog[]
}
/** `value` is plain JSON; a script that returns nothing gives null. */
export type ScriptResult = { ok: true; value: unknown; logs: ScriptLog[] } | ScriptFailure

export type Scripts = {
  /** One script over several items, in order, each call from fresh state. Whatever the script does is a result. */
  run(
    script: { kind: ScriptKind; source: string },
    contexts: readonly ScriptContext[],
    options: { nowMs: number | readonly number[]; cpuMsMax?: number },
  ): Promise<ScriptResult[]>
  close(): Promise<void>
}

export type { EngineChoice } from './engines.ts'

export type ScriptOptions = {
  engine?: EngineChoice
  /** Processes for scripts that have shown that they behave; one more is for the others. */
  children?: number
  /** How long a process may be without work before it ends. */
  idleMs?: number
  /** Items that may wait, over all scripts. */
  waitingMax?: number
  /** How long past its deadline a process is waited for, by the clock on the wall. */
  graceMs?: number
  /** What one process may use. */
  child?: Partial<ChildLimits>
  strikes?: StrikeRules
  now?: () => number
}

const minuteMs = 60_000
const defaultStrikes: StrikeRules = { pointsMax: 10, windowMs: 10 * minuteMs, quarantineMs: 10 * minuteMs }
const programsKept = 2_000

/** Starts no process: the first run does. */
export function startScripts(options: ScriptOptions = {}): Scripts {
  const now = options.now ?? Date.now
  const strikes = rememberStrikes(options.strikes ?? defaultStrikes, now)
  const engine = chooseEngine(options.engine ?? 'quickjs')
  const lanes = startLanes({
    children: options.children ?? availableParallelism(),
    idleMs: options.idleMs ?? minuteMs,
    waitingMax: options.waitingMax ?? 50_000,
    child: { ...childLimits, ...options.child, engine, graceMs: options.graceMs ?? limits.graceMs },
    strikes,
    now,
  })
  const programs = recent<Program>(programsKept)
  return {
    run: async ({ kind, source }, contexts, { nowMs, cpuMsMax }) => {
      const program = programs.get(`${kind}:${source}`, () => readProgram(kind, source, engine.name))
      if (!program.ok) return contexts.map(() => syntaxFailure(program))
      const clock = (index: number) => wholeMs(typeof nowMs === 'number' ? nowMs : nowMs[index])
      const items = contexts.map((context, index) => ({
        index,
        nowMs: clock(index),
        context: contextOf(kind, context),
      }))
      return new Promise((done) => lanes.add(jobOf(program, cpuMsMax ?? program.cpuMs, items, done)))
    },
    close: lanes.close,
  }
}

function jobOf({ code, keepsToItself }: ReadyProgram, cpuMsMax: number, items: Item[], done: Job['done']): Job {
  const results: ScriptResult[] = []
  const [waiting, tooLarge] = [items.filter(fits), items.filter((item) => !fits(item))]
  for (const { index } of tooLarge) results[index] = failures.contextTooLarge
  return { script: code, keepsToItself, cpuMsMax, waiting, results, isCareful: false, isSecondTry: false, done }
}

function fits({ context }: Item): boolean {
  return context.length <= limits.contextBytes
}

function syntaxFailure({ message, place }: Extract<Program, { ok: false }>): ScriptResult {
  return { ...failure('syntax', message), ...place }
}

/** The clock of the sandbox counts whole milliseconds. */
function wholeMs(nowMs: number | undefined): number {
  return Number.isFinite(nowMs) ? Math.trunc(nowMs ?? 0) : 0
}
