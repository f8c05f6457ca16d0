/** Runs a trigger on some items: providers, conditions, activation, transform, output schema. Preview, test and production share it. */
import { checkOutputs } from './check-outputs.ts'
import { collect } from './collect.ts'
import { dropEarly, requireConditions } from './require-conditions.ts'
import type { OngoingRun, Run, RunContext, RunInput, RunnableTrigger } from './run.ts'
import { runScript } from './run-script.ts'
import { transform } from './transform.ts'

export { type OpenedRun, openRun } from './open-run.ts'
export type { Output, Run, RunContext, RunDebug, RunInput, RunnableTrigger } from './run.ts'

export async function runTrigger(
  trigger: RunnableTrigger,
  inputs: readonly RunInput[],
  context: RunContext,
): Promise<Run[]> {
  const runs = inputs.map(startRun)
  const ongoing = () => runs.filter((run) => run.kind === undefined)
  dropEarly(ongoing(), trigger, context)
  await collect(ongoing(), trigger, context)
  await requireConditions(ongoing(), trigger, context)
  await activate(ongoing(), trigger, context)
  await transform(ongoing(), trigger, context)
  await checkOutputs(ongoing(), trigger)
  return runs.map(finishRun)
}

/** Only runs whose activation returns a truthy value continue. Without an activation all continue. */
async function activate(runs: OngoingRun[], { activation }: RunnableTrigger, context: RunContext): Promise<void> {
  if (!activation) return
  const script = { kind: 'activation' as const, source: activation.source, path: 'activation' }
  const scriptContext = ({ input, providers }: OngoingRun) => ({
    source: input.source,
    inputs: input.inputs,
    providers,
  })
  for (const { run, value } of await runScript(runs, script, scriptContext, context)) {
    run.debug.activated = Boolean(value)
    if (!value) run.kind = 'inactive'
  }
}

function startRun(input: RunInput): OngoingRun {
  const debug = { providers: {}, logs: [], timings: {}, metrics: { providerCalls: 0, bytes: 0 } }
  return {
    input,
    providers: {},
    outputs: [],
    kind: undefined,
    parking: undefined,
    issues: [],
    isTransient: false,
    isOverload: false,
    debug,
  }
}

function finishRun(run: OngoingRun): Run {
  const { kind, outputs, issues, isTransient, isOverload, parking, providers, debug } = run
  if (kind === undefined || kind === 'output') return { kind: 'output', outputs, issues, providers, debug }
  if (kind === 'failed') return { kind, isTransient, isOverload, issues, providers, debug }
  if (kind !== 'parked') return { kind, issues, providers, debug }
  if (!parking) throw new Error('a parked run has no state')
  return { kind, parking, issues, providers, debug }
}
