import type { ScriptContext, ScriptKind, ScriptResult } from '../script/index.ts'
import { fail, type Going, type RunWorld } from './run.ts'

type Failed = Extract<ScriptResult, { ok: false }>

/** One script over all runs that are still going, in one batch. Runs whose script fails end with an issue at `path`. */
export async function runScript(
  runs: Going[],
  script: { kind: ScriptKind; source: string; path: string },
  contextOf: (run: Going) => ScriptContext,
  world: RunWorld,
): Promise<{ run: Going; value: unknown }[]> {
  if (runs.length === 0) return []
  const began = performance.now()
  const nowMs = runs.map((run) => run.input.nowMs)
  const results = await world.scripts.run(script, runs.map(contextOf), { nowMs })
  const tookMs = (performance.now() - began) / runs.length
  return runs.flatMap((run, index) => settle(run, results[index], script.path, tookMs))
}

function settle(run: Going, result: ScriptResult | undefined, path: string, tookMs: number) {
  run.debug.timings[path] = Math.round(tookMs * 1000) / 1000
  if (!result) throw new Error(`No result for ${path}`)
  run.debug.logs.push(...result.logs)
  if (result.ok) return [{ run, value: result.value }]
  run.isTransient = result.kind === 'overloaded' || result.kind === 'crash'
  fail(run, { path, message: sentence(result) })
  return []
}

function sentence({ message, line, column }: Failed): string {
  return line === undefined ? message : `line ${line}${column === undefined ? '' : `, column ${column}`}: ${message}`
}
