import { makeLruCache } from '../../base/lru-cache.ts'

const formatsMax = 600
const formats = makeLruCache<Intl.DateTimeFormat>(formatsMax)
const offsetPattern = /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/
/** No zone has ever moved its clocks by more than a day. */
const longestShiftMs = 26 * 3_600_000

/** The local time minus UTC, in milliseconds. */
export function offsetMs(zone: string, atMs: number): number {
  const text = formatIn(zone).format(atMs)
  const found = offsetPattern.exec(text)
  if (!found) throw new Error(`cannot read the offset of ${zone} from "${text}"`)
  const [, sign, hours = 0, minutes = 0, seconds = 0] = found
  const ms = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000
  return sign === '-' ? -ms : ms
}

/**
 * Finds the instant of a local time, which is written as if it were UTC. A local time that exists twice gives the first
 * instant. One that the clocks skip gives the moment of the jump.
 */
export function instantOf(zone: string, localMs: number): number {
  const before = offsetMs(zone, localMs - longestShiftMs)
  const after = offsetMs(zone, localMs + longestShiftMs)
  const instants = [localMs - before, localMs - after].sort((a, b) => a - b)
  const existing = instants.find((instant) => instant + offsetMs(zone, instant) === localMs)
  return existing ?? findJump(zone, before, instants)
}

/** The latest local time that any clock of the zone has shown by this instant, also before it was set back. */
export function latestLocalMs(zone: string, atMs: number): number {
  return atMs + Math.max(offsetMs(zone, atMs), offsetMs(zone, atMs - longestShiftMs))
}

/** Searches the first instant at which the offset is no longer the one before the jump. */
function findJump(zone: string, before: number, [from = 0, to = 0]: readonly number[]): number {
  let low = from
  let high = to
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (offsetMs(zone, middle) === before) low = middle
    else high = middle
  }
  return high
}

function formatIn(zone: string): Intl.DateTimeFormat {
  return formats.get(
    zone,
    () => new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset', year: 'numeric' }),
  )
}
