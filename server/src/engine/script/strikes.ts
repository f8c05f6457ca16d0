type StrikeRecord = { points: number; lastMs: number; quarantinedUntilMs: number }

export type StrikeRules = { pointsMax: number; windowMs: number; quarantineMs: number }

/** Counts strike points by script. A script with points leaves the fast lane; at `pointsMax` it is quarantined for a while. */
export function trackStrikes({ pointsMax, windowMs, quarantineMs }: StrikeRules, now: () => number) {
  const records = new Map<string, StrikeRecord>()

  const current = (script: string): StrikeRecord | undefined => {
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
    /** The remaining quarantine; 0 if the script may run. */
    quarantineMs: (script: string): number => Math.max(0, (current(script)?.quarantinedUntilMs ?? 0) - now()),
  }

  function forgetOld() {
    if (records.size <= recordsMax) return
    for (const script of [...records.keys()].slice(0, recordsMax / 2)) records.delete(script)
  }
}
const recordsMax = 10_000
