import type { Issue } from '@tocsin/contract'
import type { SourceItem } from '../../../engine/base/source-item.ts'
import type { Run, RunDebug } from '../../../engine/run-trigger/index.ts'

export const noDebug: RunDebug = { providers: {}, logs: [], timings: {}, metrics: { providerCalls: 0, bytes: 0 } }

/** The definition or the sample cannot be run. */
export function invalid(issues: Issue[], rest: { input?: SourceItem; sourceEventsCount?: number } = {}) {
  return { valid: false, issues, output: null, debug: noDebug, ...rest }
}

/** An inactive run, or one without an output, is a valid result. */
export function outcome({ issues, debug, ...run }: Run, rest: { input?: SourceItem; sourceEventsCount?: number } = {}) {
  const output = run.kind === 'output' ? outputOf(run.outputs) : null
  return { valid: run.kind !== 'failed', issues, output, debug, ...rest }
}

function outputOf(outputs: Extract<Run, { kind: 'output' }>['outputs']) {
  const [first] = outputs
  return outputs.length > 1 ? { ...first, outputs } : first
}
