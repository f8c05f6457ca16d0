/** Times as text. Many in a row are of one moment, and to write one down takes longer than to remember it. */
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
