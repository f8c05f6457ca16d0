import { mentionsNetwork, noTimeMs, type ScriptContext, type ScriptKind, type ScriptResult } from '../script/index.ts'
import { fail, type OngoingRun, type RunContext } from './run.ts'

type Failed = Extract<ScriptResult, { ok: false }>

/** Runs one script for all ongoing runs in one batch. A run whose script fails ends with an issue at `path`. */
export async function runScript(
  runs: OngoingRun[],
  script: { kind: ScriptKind; source: string; path: string },
  contextOf: (run: OngoingRun) => ScriptContext,
  context: RunContext,
): Promise<{ run: OngoingRun; value: unknown }[]> {
  if (runs.length === 0) return []
  const startedMs = performance.now()
  const nowMs = runs.map((run) => run.input.nowMs ?? noTimeMs)
  const networkOf = mentionsNetwork(script.source) ? await context.networkOf?.(runs.map(itemOf)) : undefined
  const contexts = runs.map((run) => ({ ...contextOf(run), ...(networkOf && { network: networkOf(itemOf(run)) }) }))
  const results = await context.scripts.run(script, contexts, { nowMs })
  const tookMs = (performance.now() - startedMs) / runs.length
  return runs.flatMap((run, index) => recordResult(run, results[index], script.path, tookMs))
}

const itemOf = ({ input }: OngoingRun) => input.source

function recordResult(run: OngoingRun, result: ScriptResult | undefined, path: string, tookMs: number) {
  run.debug.timings[path] = Math.round(tookMs * 1000) / 1000
  if (!result) throw new Error(`No result for ${path}`)
  run.debug.logs.push(...result.logs)
  if (result.ok) return [{ run, value: result.value }]
  run.isOverload = result.kind === 'overloaded'
  run.isTransient = run.isOverload || result.kind === 'crash'
  fail(run, { path, message: messageOf(result) })
  return []
}

function messageOf({ message, line, column }: Failed): string {
  return line === undefined ? message : `line ${line}${column === undefined ? '' : `, column ${column}`}: ${message}`
}
