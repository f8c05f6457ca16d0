import * as z from 'zod'
import { durationBetween } from './durations.ts'

const key = z.string().min(1).max(256).optional()
const pause = durationBetween('0s', '365d')
const period = durationBetween('1s', '365d')

/** When a match becomes a delivery. `null` equals filter: every match. */
export const Policy = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('filter') }),
    z.object({ type: z.literal('monitor'), key, for: pause.optional(), cooldown: pause.optional() }),
    z.object({ type: z.literal('throttle'), key, per: period }),
    z.object({ type: z.literal('digest'), every: period, max: z.number().int().min(1).max(1000).optional() }),
  ])
  .nullable()
export type Policy = z.output<typeof Policy>
