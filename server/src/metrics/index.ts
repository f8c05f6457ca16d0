/** Counts what this process does, for Prometheus. It is below all other folders, so that each can count where things happen. */
import { setTimeout as sleep } from 'node:timers/promises'
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import { addGauges, type Readings } from './gauges.ts'
import { type Meter, makeMeter } from './meter.ts'

export type { DeliveryOutcome, Meter, RecordCall, RpcOutcome } from './meter.ts'

export type Metrics = {
  meter: Meter
  /** Adds the metrics that are read when Prometheus asks. */
  addReadings(readings: Readings): void
  text(): Promise<string>
  contentType: string
}

/** Gauges of the library whose names end in `_total`, which Prometheus keeps for counters. */
const misnamed = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total']
/** The library looks at the event loop every 10 ms and needs two looks for its first value. */
const firstLooksMs = 50
const noLookSeconds = 1_000_000_000

export function makeMetrics(): Metrics {
  const registry = new Registry()
  let processMetrics: Promise<void> | undefined
  return {
    meter: makeMeter(registry),
    addReadings: (readings) => addGauges(registry, readings),
    async text() {
      processMetrics ??= addProcessMetrics(registry)
      await processMetrics
      return registry.metrics()
    },
    contentType: registry.contentType,
  }
}

/**
 * Adds the metrics of Node.js and the process. Their delay of the event loop is measured by waking up 100 times a second, which
 * takes up to half a percent of a core, so this happens when metrics are read for the first time.
 */
async function addProcessMetrics(registry: Registry): Promise<void> {
  collectDefaultMetrics({ register: registry })
  for (const name of misnamed) registry.removeSingleMetric(name)
  keepLastLag(registry)
  await sleep(firstLooksMs)
}

/**
 * Each read clears what the library saw of the event loop. If the next read comes before its next look, the least delay is the
 * largest possible number of nanoseconds. Then the value of the read before stays.
 */
function keepLastLag(registry: Registry): void {
  const gauge = registry.getSingleMetric('nodejs_eventloop_lag_min_seconds')
  if (!(gauge instanceof Gauge)) return
  const set: (labels: Record<string, string>, seconds: number) => void = gauge.set.bind(gauge)
  const setSeen: typeof set = (labels, seconds) => {
    if (seconds < noLookSeconds) set(labels, seconds)
  }
  Object.assign(gauge, { set: setSeen })
}
