import { compileEarlyTriggerFilter, compileTriggerConditions, explainConditions } from '../conditions/index.ts'
import { hasStateWindow } from './collect.ts'
import type { OngoingRun, RunContext, RunnableTrigger } from './run.ts'

/**
 * Ends runs whose source item shows that the conditions cannot hold, before their providers run. A state window needs all
 * items, as it does without conditions.
 */
export function dropEarly(runs: OngoingRun[], trigger: RunnableTrigger, { explainsConditions }: RunContext): void {
  const { conditions } = trigger
  if (!conditions || explainsConditions || hasStateWindow(trigger)) return
  for (const run of runs) if (!compileEarlyTriggerFilter(conditions, run.input.inputs)(run.input.source)) end(run)
}

/** Ends runs whose conditions do not hold. */
export function requireConditions(
  runs: OngoingRun[],
  { conditions }: RunnableTrigger,
  { explainsConditions }: RunContext,
): void {
  if (!conditions) return
  for (const run of runs) {
    const { source, inputs } = run.input
    const values = { source, inputs, providers: run.providers }
    if (explainsConditions) run.debug.conditions = explainConditions(conditions, values)
    run.debug.activated = compileTriggerConditions(conditions, inputs)(values)
    if (!run.debug.activated) end(run)
  }
}

function end(run: OngoingRun): void {
  run.debug.activated = false
  run.kind = 'inactive'
}
