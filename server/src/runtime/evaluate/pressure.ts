/** How many matches a minute a trigger may have, each process counting what it sees itself. Undefined: as many as come. */
export type PressureLimits = {
  warning?: number | undefined
  limited?: number | undefined
  blocked?: number | undefined
}
export type PressureLevel = 'none' | 'warning' | 'limited' | 'blocked'
export type Pressure = {
  /** Counts matches that came, and answers how many of them are looked at. */
  take(triggerId: string, count: number): { allowed: number; level: PressureLevel }
  /** Those of the triggers whose level is another than when last asked, with the new one. */
  changes(): { triggerId: string; level: PressureLevel }[]
}

const minuteMs = 60_000
type Counted = { minute: number; count: number; before: number; allowed: number; told: PressureLevel }

/**
 * Above `limited` only so many a minute are looked at; above `blocked` none are, until a whole minute stays below. What is
 * left out is counted in the trigger's logs.
 */
export function makePressure(limits: PressureLimits, clock: () => Date): Pressure {
  const counted = new Map<string, Counted>()
  const isOff = Object.values(limits).every((limit) => limit === undefined)
  const now = (triggerId: string): Counted => {
    const minute = Math.floor(clock().getTime() / minuteMs)
    const known = counted.get(triggerId) ?? { minute, count: 0, before: 0, allowed: 0, told: 'none' }
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
      const known = now(triggerId)
      known.count += count
      const level = levelOf(limits, known)
      const allowed =
        level === 'blocked' ? 0 : Math.min(count, Math.max(0, (limits.limited ?? Infinity) - known.allowed))
      known.allowed += allowed
      return { allowed, level }
    },
    changes() {
      return [...counted.keys()].flatMap((triggerId) => {
        const known = now(triggerId)
        const level = levelOf(limits, known)
        if (level === known.told) {
          if (level === 'none' && known.count + known.before === 0) counted.delete(triggerId)
          return []
        }
        known.told = level
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
