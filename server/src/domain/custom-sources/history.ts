import type { SourceHistoryRange } from '@tocsin/contract'
import type { EndpointTotal, SourceSample } from '../../store/following/source-minutes.ts'
import type { Handler } from '../handler.ts'
import { requireReadableSource } from './find.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const ranges: Record<SourceHistoryRange, { ms: number; stepMinutes: number }> = {
  '1h': { ms: hourMs, stepMinutes: 1 },
  '24h': { ms: 24 * hourMs, stepMinutes: 5 },
  '7d': { ms: 7 * 24 * hourMs, stepMinutes: 30 },
}

/** Everybody who may use a source may see how it is doing. A built-in network is open to all. */
export const getSourceHistory: Handler<'getSourceHistory'> = async ({
  account,
  params,
  query,
  store,
  now,
  settings,
}) => {
  const { fullname } = params
  const isNetwork = settings.networks.some((network) => network.fullname === fullname)
  if (!isNetwork) await requireReadableSource(store, account, fullname)
  const { ms, stepMinutes } = ranges[query.range]
  const samples = await store.sourceMinutes.list(fullname, new Date(now.getTime() - ms), stepMinutes)
  const endpoints = await store.sourceMinutes.sumEndpoints(fullname, new Date(now.getTime() - hourMs))
  return {
    range: query.range,
    stepMs: stepMinutes * minuteMs,
    samples: samples.map(sampleView),
    endpoints: endpoints.map(endpointView),
  }
}

function sampleView({ at, status, head, processed, lag, headAgeMs }: SourceSample) {
  return {
    at: at.toISOString(),
    status,
    ...(head !== null && { head }),
    ...(processed !== null && { processed }),
    ...(lag !== null && { lag }),
    ...(headAgeMs !== null && { headAgeMs }),
  }
}

function endpointView({ host, requests, failures, timeouts, slowDowns, latencyMs, lag }: EndpointTotal) {
  return {
    host,
    requests,
    failures,
    timeouts,
    rateLimited: slowDowns,
    ...(requests > 0 && { errorRate: Math.min(1, failures / requests) }),
    ...(latencyMs !== null && { latencyMs }),
    ...(lag !== null && { lag }),
  }
}
