import * as z from 'zod'
import { Time } from './base/common.ts'

export const CountsRange = z.enum(['24h', '7d', '30d'])
export type CountsRange = z.infer<typeof CountsRange>
export const CountsQuery = z.object({ range: CountsRange.default('24h') })

const Fields = {
  /** Alerts that were recorded. */
  recorded: z.number().int(),
  /** Deliveries that arrived. */
  delivered: z.number().int(),
  /** Deliveries that were given up. */
  failed: z.number().int(),
  /** Attempts that failed, whether they are retried or not. */
  failedAttempts: z.number().int(),
}
export const HourCounts = z.object({ hour: Time, ...Fields }).meta({ id: 'HourCounts' })
/** One entry for each hour of the range, oldest first; the last one is the current hour. */
export const CountsView = z
  .object({ range: CountsRange, total: z.object(Fields), hours: z.array(HourCounts) })
  .meta({ id: 'Counts' })

const RunFields = {
  /** Runs that ended. A run that waits for a provider is counted when it ends. */
  runs: z.number().int(),
  /** Runs with at least one output. */
  fired: z.number().int(),
  /** Runs that failed, whether they are retried or not. */
  failed: z.number().int(),
  /** The time of all runs together. Runs on the items of one block share their time equally. */
  durationMs: z.number(),
  slowestMs: z.number(),
  /** Calls of nodes and services by the providers. */
  providerCalls: z.number().int(),
}
export const HourRuns = z.object({ hour: Time, ...RunFields }).meta({ id: 'HourRuns' })
export const RecentRun = z
  .object({
    at: Time,
    /** Which item the trigger ran on, such as a log of a block. */
    item: z.string(),
    /** `silent`: the run ended without an output, because a condition was not met or the transform returned null. */
    outcome: z.enum(['fired', 'silent', 'failed']),
    durationMs: z.number(),
    providerCalls: z.number().int(),
    error: z.string().optional(),
  })
  .meta({ id: 'RecentRun' })
/** The hours are as in `Counts`. `last` has the newest runs first; of runs that were recorded together it has one. */
export const TriggerRunsView = z
  .object({ range: CountsRange, total: z.object(RunFields), hours: z.array(HourRuns), last: z.array(RecentRun) })
  .meta({ id: 'TriggerRuns' })
