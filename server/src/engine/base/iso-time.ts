/** Formats times and caches the last one: many times in a row are equal, and formatting is slow. */
export function makeIsoFormatter(): (ms: number) => string {
  let [lastMs, lastIso] = [0, new Date(0).toISOString()]
  return (ms) => {
    if (ms !== lastMs) {
      lastIso = new Date(ms).toISOString()
      lastMs = ms
    }
    return lastIso
  }
}

const isoOf = makeIsoFormatter()

/** A node may report any time, but PostgreSQL text times here have years of four digits. */
export function storableTime(ms: number): string {
  return isoOf(Math.min(Math.max(Number.isFinite(ms) ? ms : 0, 0), 253_402_300_799_999))
}
