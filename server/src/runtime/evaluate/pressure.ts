/** Limits on a trigger's matches a minute; each process counts its own. Undefined means no limit. */
export type PressureLimits = {
  warning?: number | undefined
  limited?: number | undefined
  blocked?: number | undefined
}
export type PressureLevel = 'none' | 'warning' | 'limited' | 'blocked'
export type Pressure = {
  /** Counts matches and returns how many of them may be evaluated. */
  take(triggerId: string, count: number): { allowed: number; level: PressureLevel }
  /** The triggers whose level changed since the last call, with the new level. */
  changes(): { triggerId: string; level: PressureLevel }[]
}

const minuteMs = 60_000
type Counted = { minute: number; count: number; before: number; allowed: number; reported: PressureLevel }

/**
 * Above `limited`, only that many matches a minute are evaluated. Above `blocked`, none are, until a whole minute stays
 * below it. The trigger's logs count the matches that are dropped.
 */
export function makePressure(limits: PressureLimits, clock: () => Date): Pressure {
  const counted = new Map<string, Counted>()
  const isOff = Object.values(limits).every((limit) => limit === undefined)
  const countOf = (triggerId: string): Counted => {
    const minute = Math.floor(clock().getTime() / minuteMs)
    const known = counted.get(triggerId) ?? { minute, count: 0, before: 0, allowed: 0, reported: 'none' }
    counted.set(triggerId, known)
    if (known.minute !== minute) {
      known.before = known.minute === minute - 1 ? known.count : 0
      Object.assign(known, { minute, count: 0, allowed: 0 })
    }
    return known
  }
  return {
    take(triggerId, count) {
      if (isOff) return { allowed: count, level: 'none' }
      const known = countOf(triggerId)
      known.count += count
      const level = levelOf(limits, known)
      const allowed =
        level === 'blocked' ? 0 : Math.min(count, Math.max(0, (limits.limited ?? Infinity) - known.allowed))
      known.allowed += allowed
      return { allowed, level }
    },
    changes() {
      return [...counted.keys()].flatMap((triggerId) => {
        const known = countOf(triggerId)
        const level = levelOf(limits, known)
        if (level === known.reported) {
          if (level === 'none' && known.count + known.before === 0) counted.delete(triggerId)
          return []
        }
        known.reported = level
        return [{ triggerId, level }]
      })
    },
  }
}

function levelOf(limits: PressureLimits, { count, before }: Counted): PressureLevel {
  const isOver = (limit: number | undefined) => limit !== undefined && Math.max(count, before) > limit
  if (isOver(limits.blocked)) return 'blocked'
  if (isOver(limits.limited)) return 'limited'
  return isOver(limits.warning) ? 'warning' : 'none'
}
