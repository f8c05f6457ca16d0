/** `2026-01-31 12:00:00 UTC`, for people. A text that is no time stays as it is. */
export function showTime(time: string | Date): string {
  const at = new Date(time)
  return Number.isNaN(at.getTime()) ? String(time) : `${at.toISOString().slice(0, 19).replace('T', ' ')} UTC`
}
