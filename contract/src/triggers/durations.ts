import * as z from 'zod'

const unitMs = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1_000 }
const pattern = /^(?:(\d{1,9})d)?(?:(\d{1,9})h)?(?:(\d{1,9})m)?(?:(\d{1,9})s)?$/

/** Parses `30s`, `5m`, `1h30m` or `1d`: each unit at most once, larger units first. Undefined for any other text. */
export function parseDurationMs(text: string): number | undefined {
  const parts = pattern.exec(text)
  if (!parts || text === '') return undefined
  const [, days = 0, hours = 0, minutes = 0, seconds = 0] = parts
  return Number(days) * unitMs.d + Number(hours) * unitMs.h + Number(minutes) * unitMs.m + Number(seconds) * unitMs.s
}

/** A duration within limits, kept as it was written. */
export function durationBetween(least: string, most: string) {
  const leastMs = parseDurationMs(least) ?? 0
  const mostMs = parseDurationMs(most) ?? 0
  return z.string().superRefine((text, context) => {
    const ms = parseDurationMs(text)
    if (ms === undefined) context.addIssue('must be a duration such as 30s, 5m, 1h30m or 1d')
    else if (ms < leastMs || ms > mostMs) context.addIssue(`must be from ${least} to ${most}`)
  })
}

const unitNames = ['day', 'hour', 'minute', 'second']

/** `1h30m` → `1 hour 30 minutes`. A text that is no duration stays as it is. */
export function durationWords(text: string): string {
  const [, ...counts] = pattern.exec(text) ?? []
  const words = unitNames.flatMap((name, at) => counted(counts[at], name))
  return words.length > 0 ? words.join(' ') : text
}

/** For `every`: `1h` → `hour`, `5m` → `5 minutes`. */
export function periodWords(text: string): string {
  return durationWords(text).replace(/^1 (\w+)$/, '$1')
}

function counted(count: string | undefined, name: string): string[] {
  return count === undefined ? [] : [`${Number(count)} ${name}${Number(count) === 1 ? '' : 's'}`]
}
