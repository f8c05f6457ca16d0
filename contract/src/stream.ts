import * as z from 'zod'
import { AlertView } from './alerts.ts'
import { Time } from './base/common.ts'

/**
 * The events of `GET /api/stream`: new and changed alerts, and the status of sources. `gap` says that a stream which was
 * resumed with `Last-Event-ID` lacks events from before: the lists have them.
 */
export const StreamEvent = z
  .discriminatedUnion('event', [
    z.object({ event: z.literal('alert'), data: AlertView }),
    z.object({
      event: z.literal('source'),
      data: z.object({
        fullname: z.string(),
        status: z.string(),
        message: z.string().optional(),
        latestBlock: z.number().int().optional(),
        processedBlock: z.number().int().optional(),
        lag: z.number().int().optional(),
        updatedAt: Time,
      }),
    }),
    z.object({ event: z.literal('gap'), data: z.object({ reason: z.string() }) }),
  ])
  .meta({ id: 'StreamEvent' })
export type StreamEvent = z.output<typeof StreamEvent>

export const StreamQuery = z.object({ workspace: z.string().max(255).optional() })
