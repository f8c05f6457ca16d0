import type { Body } from '../../data/api.ts'

export type Values = Body<'getAlertValues'>

/** At least this much time, and this many values, before the alert fired and after it was resolved. */
const [aroundMs, aroundCount] = [30 * 60_000, 10]

/** The values and alerts near the story of an alert: from when it fired to when it was resolved, or to the last value. */
export function valuesAround({ values, alerts }: Values, own: ReadonlySet<string>): Values {
  const times = values.map(({ at }) => Date.parse(at))
  const story = alerts.filter(({ id }) => own.has(id))
  const fromMs = Math.min(...story.map(({ at }) => Date.parse(at)))
  const isOver = story.some(({ state }) => state !== 'firing')
  const toMs = isOver ? Math.max(...story.map(({ at }) => Date.parse(at))) : Number.POSITIVE_INFINITY
  const leadMs = Math.max(aroundMs, isOver ? (toMs - fromMs) / 2 : 0)
  const first = countUntil(times, (ms) => ms < fromMs - leadMs)
  const last = countUntil(times, (ms) => ms <= toMs + leadMs)
  const begin = Math.max(0, Math.min(first, countUntil(times, (ms) => ms < fromMs) - aroundCount))
  const end = Math.max(last, countUntil(times, (ms) => ms <= toMs) + aroundCount)
  const shown = values.slice(begin, end)
  const [earliest = '', latest = ''] = [shown[0]?.at, shown.at(-1)?.at]
  const isShown = ({ id, at }: Values['alerts'][number]) => own.has(id) || (at >= earliest && at <= latest)
  return { values: shown, alerts: alerts.filter(isShown) }
}

/** The times are in order, so those that meet the condition come first. */
function countUntil(times: readonly number[], isBefore: (ms: number) => boolean): number {
  const at = times.findIndex((ms) => !isBefore(ms))
  return at === -1 ? times.length : at
}
