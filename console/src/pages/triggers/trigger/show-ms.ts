const digits = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 })

/** A duration with three digits: “0.41 ms”, “12.5 ms”, “3.2 s”, “2.5 min”. */
export function showMs(ms: number): string {
  if (ms < 1000) return `${digits.format(ms)} ms`
  if (ms < 60_000) return `${digits.format(ms / 1000)} s`
  return `${digits.format(ms / 60_000)} min`
}
