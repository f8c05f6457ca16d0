import type { Going, RunnableTrigger, RunWorld } from './run.ts'
import { runScript } from './run-script.ts'

/** Only runs whose activation is truthy go on; without one, all do. */
export async function activate(runs: Going[], { activation }: RunnableTrigger, world: RunWorld): Promise<void> {
  if (!activation) return
  const script = { kind: 'activation' as const, source: activation.source, path: 'activation' }
  const context = ({ input, providers }: Going) => ({ source: input.source, inputs: input.inputs, providers })
  for (const { run, value } of await runScript(runs, script, context, world)) {
    run.debug.activated = Boolean(value)
    if (!value) run.kind = 'inactive'
  }
}
