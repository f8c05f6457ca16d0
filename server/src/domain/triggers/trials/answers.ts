import type { Issue } from '@tocsin/contract'
import type { SourceItem } from '../../../engine/base/source-item.ts'
import type { Run, RunDebug } from '../../../engine/run-trigger/index.ts'

export const noDebug: RunDebug = { providers: {}, logs: [], timings: {}, metrics: { providerCalls: 0, bytes: 0 } }

/** What was tried cannot be run as it is. */
export function invalid(issues: Issue[], rest: { input?: SourceItem; sourceEventsCount?: number } = {}) {
  return { valid: false, issues, output: null, debug: noDebug, ...rest }
}

/** Inactive, or nothing to tell, is a good outcome without an output. */
export function outcome({ issues, debug, ...run }: Run, rest: { input?: SourceItem; sourceEventsCount?: number } = {}) {
  const output = run.kind === 'output' ? outputOf(run.outputs) : null
  return { valid: run.kind !== 'failed', issues, output, debug, ...rest }
}

function outputOf(outputs: Extract<Run, { kind: 'output' }>['outputs']) {
  const [first] = outputs
  return outputs.length > 1 ? { ...first, outputs } : first
}
