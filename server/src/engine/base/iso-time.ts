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
