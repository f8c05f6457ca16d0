/** One trigger over some items: providers, activation, transform, output schema. Preview, test and production share it. */
import { activate } from './activate.ts'
import { checkOutputs } from './check-outputs.ts'
import { collect } from './collect.ts'
import type { Going, Run, RunInput, RunnableTrigger, RunWorld } from './run.ts'
import { transform } from './transform.ts'

export { type OpenedRun, openRun } from './open-run.ts'
export type { Output, Run, RunDebug, RunInput, RunnableTrigger, RunWorld } from './run.ts'

export async function runTrigger(
  trigger: RunnableTrigger,
  inputs: readonly RunInput[],
  world: RunWorld,
): Promise<Run[]> {
  const runs = inputs.map(begin)
  const going = () => runs.filter((run) => run.kind === undefined)
  await collect(going(), trigger, world)
  await activate(going(), trigger, world)
  await transform(going(), trigger, world)
  checkOutputs(going(), trigger)
  return runs.map(end)
}

function begin(input: RunInput): Going {
  const debug = { providers: {}, logs: [], timings: {}, metrics: { providerCalls: 0, bytes: 0 } }
  return { input, providers: {}, outputs: [], kind: undefined, issues: [], isTransient: false, debug }
}

function end({ kind, outputs, issues, isTransient, providers, debug }: Going): Run {
  if (kind === undefined || kind === 'output') return { kind: 'output', outputs, issues, providers, debug }
  if (kind === 'failed') return { kind, isTransient, issues, providers, debug }
  return { kind, issues, providers, debug }
}
