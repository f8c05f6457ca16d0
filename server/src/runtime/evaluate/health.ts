import type { RuntimeDeps } from '../deps.ts'
import type { LiveTrigger } from '../listeners/live-trigger.ts'
import type { Pressure, PressureLevel } from './pressure.ts'
import type { ChunkResult, Failure } from './run-chunk.ts'

/** Updates the status of triggers from the results of their runs: broken, under pressure, repaired. */
export type Health = { note(trigger: LiveTrigger, chunk: ChunkResult): Promise<void>; notePressure(): Promise<void> }

/** So many failures without a success break a trigger. */
const failuresMax = 5
/** A trigger that runs seldom is broken by its second failure without a success, if they are further apart than this. */
const seldomMs = 10 * 60_000
/**
 * How often a successful trigger is written as such, because another process may have set it to broken. The first success
 * of a version is written at once.
 */
const writeSuccessMs = 60_000
type Known = {
  runnable: LiveTrigger['runnable']
  failures: number
  since: number
  isBroken: boolean
  isDelayed: boolean
  writtenAt: number
}

export function watchHealth({ store, clock }: Pick<RuntimeDeps, 'store' | 'clock'>, pressure: Pressure): Health {
  const { triggerStatuses } = store
  const triggers = new Map<string, Known>()

  async function noteDelay({ id }: LiveTrigger, known: Known, isDelayed: boolean, at: Date): Promise<void> {
    if (isDelayed === known.isDelayed) return
    known.isDelayed = isDelayed
    if (isDelayed) await triggerStatuses.move(id, { kind: 'pressure_rose', level: 'limited', issue: delayedIssue }, at)
    else await triggerStatuses.move(id, { kind: 'pressure_ended' }, at)
  }

  async function noteSuccess({ id, version }: LiveTrigger, known: Known, at: Date): Promise<void> {
    known.failures = 0
    if (!known.isBroken && at.getTime() - known.writtenAt < writeSuccessMs) return
    known.writtenAt = at.getTime()
    known.isBroken = false
    await triggerStatuses.move(id, { kind: 'run_succeeded' }, at)
    await triggerStatuses.move(id, { kind: 'version_proven', version }, at)
  }

  async function noteFailures(
    { id }: LiveTrigger,
    known: Known,
    failures: readonly Failure[],
    at: Date,
  ): Promise<void> {
    if (known.failures === 0) known.since = at.getTime()
    known.failures += failures.length
    const isSeldom = known.failures > 1 && at.getTime() - known.since > seldomMs
    if (known.isBroken || (known.failures < failuresMax && !isSeldom)) return
    known.isBroken = true
    await triggerStatuses.move(id, { kind: 'runs_failed', issue: failures.at(-1)?.message ?? '' }, at)
  }

  return {
    async note(trigger, chunk) {
      const at = clock()
      const known = knownOf(triggers, trigger, at.getTime())
      await noteDelay(trigger, known, chunk.postponed !== null, at)
      if (chunk.succeeded > 0) return noteSuccess(trigger, known, at)
      const breaking = chunk.failures.filter(({ breaks }) => breaks)
      if (breaking.length > 0) await noteFailures(trigger, known, breaking, at)
    },
    async notePressure() {
      for (const { triggerId, level } of pressure.changes()) {
        if (level === 'none') await triggerStatuses.move(triggerId, { kind: 'pressure_ended' }, clock())
        else {
          const issue = pressureIssues[level]
          await triggerStatuses.move(triggerId, { kind: 'pressure_rose', level, issue }, clock())
        }
      }
    },
  }
}

const delayedIssue = 'A workspace gets more alerts a minute than the operator allows: some arrive later.'
const pressureIssues: Record<Exclude<PressureLevel, 'none'>, string> = {
  warning: 'The trigger matches so often that it may soon be limited.',
  limited: 'The trigger matches too often: only some of its matches are evaluated.',
  blocked: 'The trigger matches far too often: its matches are not evaluated until there are fewer.',
}

/** An edit of the trigger starts the count of failures again. */
function knownOf(triggers: Map<string, Known>, { id, runnable }: LiveTrigger, nowMs: number): Known {
  const known = triggers.get(id)
  if (known?.runnable === runnable) return known
  const fresh = { runnable, failures: 0, since: nowMs, isBroken: false, isDelayed: false, writtenAt: 0 }
  triggers.set(id, fresh)
  return fresh
}
