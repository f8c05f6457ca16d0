import { runProviders } from '../providers/index.ts'
import { fail, type OngoingRun, type RunContext, type RunnableTrigger } from './run.ts'

const concurrencyDefault = 4

/** Runs the providers of each run, with the concurrency of the trigger's policy. */
export async function collect(runs: OngoingRun[], trigger: RunnableTrigger, context: RunContext): Promise<void> {
  for (const run of runs) run.providers = run.input.providersData ?? {}
  if (trigger.providers.length === 0) return
  const waiting = runs.filter((run) => !run.input.providersData)
  await forEachRun(waiting, trigger, async (run) => {
    if (isHeld(runs, trigger)) run.kind = 'held'
    else await collectOne(run, trigger, context)
  })
}

/** Does something for each run, with the concurrency of the trigger's policy. */
export async function forEachRun(
  runs: readonly OngoingRun[],
  trigger: RunnableTrigger,
  work: (run: OngoingRun) => Promise<void>,
): Promise<void> {
  const waiting = runs.values()
  await Promise.all(
    Array.from({ length: Math.min(concurrencyOf(trigger), runs.length) }, async () => {
      for (const run of waiting) await work(run)
    }),
  )
}

/** Items of an ordered trigger after a parked one wait too, so that its windows get them in order. */
function isHeld(runs: OngoingRun[], trigger: RunnableTrigger): boolean {
  return hasStateWindow(trigger) && runs.some(({ kind }) => kind === 'parked')
}

/** A state window needs the items in order, so a trigger with one runs them one by one. */
function concurrencyOf(trigger: RunnableTrigger): number {
  if (hasStateWindow(trigger)) return 1
  return trigger.executionPolicy?.maxExecutionConcurrency ?? concurrencyDefault
}

export function hasStateWindow({ providers }: RunnableTrigger): boolean {
  return providers.some(({ type }) => type === 'state_window')
}

async function collectOne(run: OngoingRun, trigger: RunnableTrigger, context: RunContext): Promise<void> {
  const { source, inputs, nowMs, at, parked } = run.input
  const policy = trigger.executionPolicy
  const providersContext = { ...context.providers, source, inputs, nowMs, policy, parked, ...(at && { at }) }
  const result = await runProviders(trigger.providers, providersContext)
  run.providers = result.values
  run.debug.providers = result.debug
  run.debug.metrics = result.metrics
  run.debug.logs.push(...result.logs)
  run.isTransient = result.isTransient
  run.isOverload = result.isOverload
  run.parking = result.parking
  if (result.parking) run.kind = 'parked'
  else if (!result.ok) fail(run, ...result.issues)
}
