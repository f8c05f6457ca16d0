import type { EndpointReport } from '../endpoint-report.ts'
import type { Health } from './health.ts'

export function reportOf({ host, counts, latencyMs, restMs, pace, head, lag }: Health): EndpointReport {
  return {
    host,
    ...counts,
    latencyMs: latencyMs === null ? null : Math.round(latencyMs),
    restMs: Math.ceil(restMs),
    perSecond: pace.perSecond === null ? null : Math.round(pace.perSecond),
    ...(head !== undefined && { head }),
    ...(lag !== undefined && { lag }),
  }
}
