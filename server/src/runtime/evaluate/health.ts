import type { RuntimeDeps } from '../deps.ts'
import type { LiveTrigger } from '../listeners/listener.ts'
import type { Pressure, PressureLevel } from './pressure.ts'
import type { Evaluated } from './run-chunk.ts'

/** What the runs of triggers say about them, written into their status: broken, under pressure, and well again. */
export type Health = { note(trigger: LiveTrigger, chunk: Evaluated): Promise<void>; notePressure(): Promise<void> }

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
  const known = new Map<string, Known>()
  return {
    async note(trigger, chunk) {
      const at = clock()
      const one = knownOf(known, trigger, at.getTime())
      const isDelayed = chunk.postponed !== null
      if (isDelayed !== one.isDelayed) {
        one.isDelayed = isDelayed
        if (isDelayed)
          await store.triggerStatuses.move(trigger.id, { kind: 'pressure_rose', level: 'limited', issue: delayed }, at)
        else await store.triggerStatuses.move(trigger.id, { kind: 'pressure_ended' }, at)
      }
      const broke = chunk.failures.filter(({ breaks }) => breaks)
      if (chunk.succeeded > 0) {
        one.failures = 0
        if (!one.isBroken && at.getTime() - one.askedAt < askMs) return
        one.askedAt = at.getTime()
        one.isBroken = false
        await store.triggerStatuses.move(trigger.id, { kind: 'run_succeeded' }, at)
        return store.triggerStatuses.move(trigger.id, { kind: 'version_proven', version: trigger.version }, at)
      }
      if (broke.length === 0) return
      if (one.failures === 0 || at.getTime() - one.since > windowMs)
        Object.assign(one, { failures: 0, since: at.getTime() })
      one.failures += broke.length
      if (one.failures < failuresMax || one.isBroken) return
      one.isBroken = true
      await store.triggerStatuses.move(trigger.id, { kind: 'runs_failed', issue: broke.at(-1)?.message ?? '' }, at)
    },
    async notePressure() {
      for (const { triggerId, level } of pressure.changes()) {
        if (level === 'none') await store.triggerStatuses.move(triggerId, { kind: 'pressure_ended' }, clock())
        else
          await store.triggerStatuses.move(
            triggerId,
            { kind: 'pressure_rose', level, issue: sentences[level] },
            clock(),
          )
      }
    },
  }
}

const delayed = 'A workspace gets more alerts a minute than the operator allows: they arrive later.'
const sentences: Record<Exclude<PressureLevel, 'none'>, string> = {
  warning: 'It matches so often that it may soon be limited.',
  limited: 'It matches too often: only some of its matches are looked at.',
  blocked: 'It matches far too often: none of its matches is looked at until there are fewer.',
}

/** An edit is another chance. */
function knownOf(known: Map<string, Known>, { id, runnable }: LiveTrigger, nowMs: number): Known {
  const one = known.get(id)
  if (one?.runnable === runnable) return one
  const fresh = { runnable, failures: 0, since: nowMs, isBroken: false, isDelayed: false, askedAt: 0 }
  known.set(id, fresh)
  return fresh
}
