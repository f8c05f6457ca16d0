import * as z from 'zod'
import { chainSpecs } from '../chains/index.ts'
import { testInput } from '../chains/spec-fields.ts'

export const TimerSpec = z.object({
  type: z.literal('timer'),
  /** A duration, or five cron fields. */
  interval: z.string().max(1024),
  /** The time zone of cron fields, by its IANA name; UTC if absent. */
  timezone: z.string().min(1).max(100).optional(),
  testInput,
})
export type TimerSpec = z.output<typeof TimerSpec>

/** The source items that a trigger matches. An absent optional field is a wildcard. */
export const TriggerSpec = z.discriminatedUnion('type', [...chainSpecs, TimerSpec])
export type TriggerSpec = z.output<typeof TriggerSpec>
