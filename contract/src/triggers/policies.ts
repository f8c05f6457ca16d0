import * as z from 'zod'
import { isTimeZone, parseCron } from './cron-fields.ts'
import { durationBetween } from './durations.ts'

const key = z.string().min(1).max(256).optional()
const pause = durationBetween('0s', '365d')
const period = durationBetween('1s', '365d')
/** A path in the raw output. */
const value = z.string().min(1).max(256)
/** While the alert fires, it is delivered again after each such period. */
const repeat = period.optional()

/** `{{inputs.x}}`: the subscription's input, or the value of its template. */
function isInput(text: unknown): boolean {
  return typeof text === 'string' && /^\{\{\s*inputs\.[^{}]+\}\}$/.test(text)
}

const wantedBound = 'must be a number, such as 10 or "0.5"'
const wantedChange = 'must be a number above 0, or a percentage such as "10%"'
const Bound = z
  .union([z.number(), z.string().max(1000)], { error: wantedBound })
  .refine((bound) => isInput(bound) || isDecimalText(String(bound)), wantedBound)
const ChangeBy = z
  .union([z.number(), z.string().max(1000)], { error: wantedChange })
  .refine((by) => isInput(by) || isPositive(String(by).replace(/%$/, '')), wantedChange)

function isPositive(text: string): boolean {
  return isDecimalText(text) && compareDecimalTexts(text, '0') > 0
}

/** Fires when the value has been beyond the bound for `for`, and resolves when it is back behind `until`. */
const Threshold = z
  .object({
    type: z.literal('threshold'),
    value,
    above: Bound.optional(),
    below: Bound.optional(),
    until: Bound.optional(),
    for: pause.optional(),
    key,
    repeat,
  })
  .superRefine(({ above, below, until }, context) => {
    if ((above === undefined) === (below === undefined))
      context.addIssue({ code: 'custom', path: ['above'], message: 'give either above or below' })
    else if (isOnWrongSide(until, above, below))
      context.addIssue({
        code: 'custom',
        path: ['until'],
        message: above === undefined ? 'must not be less than below' : 'must not be greater than above',
      })
  })

type BoundValue = z.output<typeof Bound> | undefined

/** The side of an input is known only when a subscription gives it. */
function isOnWrongSide(until: BoundValue, above: BoundValue, below: BoundValue): boolean {
  const bound = above ?? below
  if (until === undefined || bound === undefined) return false
  if (![until, bound].every((text) => isDecimalText(String(text)))) return false
  const order = compareDecimalTexts(String(until), String(bound))
  return above === undefined ? order < 0 : order > 0
}

/** Five cron fields: `0 9 * * 1-5`. */
const CronTime = z
  .string()
  .max(200)
  .superRefine((text, context) => {
    const parsed = parseCron(text.trim().split(/\s+/))
    if (!parsed.ok) context.addIssue({ code: 'custom', message: parsed.message })
  })
const TimeZone = z
  .string()
  .max(100)
  .refine(isTimeZone, 'must be a time zone of the IANA database, such as Europe/Paris')

/**
 * One message for all outputs of a period, which begins with the first of them: `every` long, or until the next time `at`.
 * It lists at most `max` of them and counts the others.
 */
const Digest = z
  .object({
    type: z.literal('digest'),
    every: period.optional(),
    at: CronTime.optional(),
    timezone: TimeZone.optional(),
    max: z.number().int().min(1).max(1000).optional(),
  })
  .superRefine(({ every, at, timezone }, context) => {
    if (every === undefined && at === undefined)
      context.addIssue({ code: 'custom', path: ['every'], message: 'give either every or at' })
    else if (every !== undefined && at !== undefined)
      context.addIssue({ code: 'custom', path: ['at'], message: 'give either every or at' })
    if (timezone !== undefined && at === undefined)
      context.addIssue({ code: 'custom', path: ['timezone'], message: 'is only for a digest with at' })
  })

/** When a match becomes a delivery. `null` equals filter: every match. */
export const Policy = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('filter') }),
    z.object({ type: z.literal('monitor'), key, for: pause.optional(), cooldown: pause.optional() }),
    z.object({ type: z.literal('throttle'), key, per: period }),
    Digest,
    Threshold,
    /**
     * Makes an alert of each value that differs by `by` from the lowest or highest one within `within`, or from the previous
     * one. The value that fired is the new start.
     */
    z.object({
      type: z.literal('change'),
      value,
      by: ChangeBy,
      direction: z.enum(['any', 'up', 'down']).optional(),
      within: period.optional(),
      key,
    }),
    /** Fires when `count` outputs lie within `within`, and resolves when none came for `within`. */
    z.object({ type: z.literal('count'), count: z.number().int().min(1).max(1000), within: period, key, repeat }),
    /** Fires when no output came for `within`, and resolves with the next one. */
    z.object({ type: z.literal('absence'), within: period, key, repeat }),
  ])
  .nullable()
export type Policy = z.output<typeof Policy>

const pattern = /^-?(\d{1,400})(?:\.(\d{1,400}))?(?:e([+-]?\d{1,3}))?$/i

/** True for a decimal number of any size, such as `12`, `-0.5` or `1e18`. */
function isDecimalText(text: string): boolean {
  return pattern.test(text)
}

/** Compares two decimal numbers exactly: negative if the first is smaller, 0 if they are equal. */
function compareDecimalTexts(a: string, b: string): number {
  const [left, right] = [scaled(a), scaled(b)]
  return left === right ? 0 : left < right ? -1 : 1
}

/** More places than an exponent of three digits and a fraction can need. */
const placesMax = 1_500

function scaled(text: string): bigint {
  const [, whole = '0', fraction = '', exponent = '0'] = pattern.exec(text) ?? []
  const digits = BigInt(`${whole}${fraction}`) * 10n ** BigInt(placesMax - fraction.length + Number(exponent))
  return text.startsWith('-') ? -digits : digits
}
