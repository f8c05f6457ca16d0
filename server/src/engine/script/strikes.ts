type Struck = { points: number; lastMs: number; quarantinedUntilMs: number }

export type StrikeRules = { pointsMax: number; windowMs: number; quarantineMs: number }

/** Remembers which scripts misbehaved: they leave the fast lanes, and those that go on are stopped for a while. */
export function rememberStrikes({ pointsMax, windowMs, quarantineMs }: StrikeRules, now: () => number) {
  const records = new Map<string, Struck>()

  const current = (script: string): Struck | undefined => {
    const record = records.get(script)
    if (record && now() >= (record.quarantinedUntilMs || record.lastMs + windowMs)) records.delete(script)
    return records.get(script)
  }

  return {
    has: (script: string): boolean => current(script) !== undefined,
    add: (script: string, points: number): void => {
      const record = current(script) ?? { points: 0, lastMs: 0, quarantinedUntilMs: 0 }
      record.points += points
      record.lastMs = now()
      if (record.points >= pointsMax && !record.quarantinedUntilMs) record.quarantinedUntilMs = now() + quarantineMs
      records.set(script, record)
      forgetOld()
    },
    /** How much longer the script may not run; 0 when it may. */
    quarantineMs: (script: string): number => Math.max(0, (current(script)?.quarantinedUntilMs ?? 0) - now()),
  }

  function forgetOld() {
    if (records.size <= recordsMax) return
    for (const script of [...records.keys()].slice(0, recordsMax / 2)) records.delete(script)
  }
}
const recordsMax = 10_000
