import type { RuntimeDeps } from '../deps.ts'
import type { LiveTrigger } from '../listeners/live-trigger.ts'
import type { Pressure, PressureLevel } from './pressure.ts'
import type { ChunkResult } from './run-chunk.ts'

/** Updates the status of triggers from the results of their runs: broken, under pressure, repaired. */
export type Health = { note(trigger: LiveTrigger, chunk: ChunkResult): Promise<void>; notePressure(): Promise<void> }

const failuresMax = 5
const windowMs = 10 * 60_000
/**
 * How often the status of a trigger that runs well is looked at: another process may have set it to broken. The first
 * success of a version is looked at immediately.
 */
const askMs = 60_000
type Known = {
  runnable: LiveTrigger['runnable']
  failures: number
  since: number
  isBroken: boolean
  isDelayed: boolean
  askedAt: number
}

export function watchHealth({ store, clock }: Pick<RuntimeDeps, 'store' | 'clock'>, pressure: Pressure): Health {
  const triggers = new Map<string, Known>()
  return {
    async note(trigger, chunk) {
      const at = clock()
      const known = knownOf(triggers, trigger, at.getTime())
      const isDelayed = chunk.postponed !== null
      if (isDelayed !== known.isDelayed) {
        known.isDelayed = isDelayed
        if (isDelayed)
          await store.triggerStatuses.move(
            trigger.id,
            { kind: 'pressure_rose', level: 'limited', issue: delayedIssue },
            at,
          )
        else await store.triggerStatuses.move(trigger.id, { kind: 'pressure_ended' }, at)
      }
      const breaking = chunk.failures.filter(({ breaks }) => breaks)
      if (chunk.succeeded > 0) {
        known.failures = 0
        if (!known.isBroken && at.getTime() - known.askedAt < askMs) return
        known.askedAt = at.getTime()
        known.isBroken = false
        await store.triggerStatuses.move(trigger.id, { kind: 'run_succeeded' }, at)
        return store.triggerStatuses.move(trigger.id, { kind: 'version_proven', version: trigger.version }, at)
      }
      if (breaking.length === 0) return
      if (known.failures === 0 || at.getTime() - known.since > windowMs)
        Object.assign(known, { failures: 0, since: at.getTime() })
      known.failures += breaking.length
      if (known.failures < failuresMax || known.isBroken) return
      known.isBroken = true
      await store.triggerStatuses.move(trigger.id, { kind: 'runs_failed', issue: breaking.at(-1)?.message ?? '' }, at)
    },
    async notePressure() {
      for (const { triggerId, level } of pressure.changes()) {
        if (level === 'none') await store.triggerStatuses.move(triggerId, { kind: 'pressure_ended' }, clock())
        else
          await store.triggerStatuses.move(
            triggerId,
            { kind: 'pressure_rose', level, issue: pressureIssues[level] },
            clock(),
          )
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
  const fresh = { runnable, failures: 0, since: nowMs, isBroken: false, isDelayed: false, askedAt: 0 }
  triggers.set(id, fresh)
  return fresh
}
