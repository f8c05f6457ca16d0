import { runProviders } from '../providers/index.ts'
import { fail, type Going, type RunnableTrigger, type RunWorld } from './run.ts'

const concurrencyDefault = 4

/** What the providers give for each run, some runs at a time as the trigger's policy allows. */
export async function collect(runs: Going[], trigger: RunnableTrigger, world: RunWorld): Promise<void> {
  for (const run of runs) run.providers = run.input.providersData ?? {}
  if (trigger.providers.length === 0) return
  const waiting = runs.filter((run) => !run.input.providersData).values()
  const lanes = lanesOf(trigger)
  await Promise.all(
    Array.from({ length: Math.min(lanes, runs.length) }, async () => {
      for (const run of waiting) await collectOne(run, trigger, world)
    }),
  )
}

/** A window takes items in their order, so its trigger has one lane. */
function lanesOf({ providers, executionPolicy }: RunnableTrigger): number {
  if (providers.some(({ type }) => type === 'state_window')) return 1
  return executionPolicy?.maxExecutionConcurrency ?? concurrencyDefault
}

async function collectOne(run: Going, trigger: RunnableTrigger, world: RunWorld): Promise<void> {
  const { source, inputs, nowMs, at } = run.input
  const policy = trigger.executionPolicy
  const context = { ...world.providers, source, inputs, nowMs, policy, ...(at && { at }) }
  const done = await runProviders(trigger.providers, context)
  run.providers = done.values
  run.debug.providers = done.debug
  run.debug.metrics = done.metrics
  run.debug.logs.push(...done.logs)
  run.isTransient = done.isTransient
  if (!done.ok) fail(run, ...done.issues)
}
