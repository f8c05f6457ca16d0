/** Counts what this process does, for Prometheus. It is below all other folders, so that each can count where things happen. */
import { collectDefaultMetrics, Registry } from 'prom-client'
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

export function makeMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  for (const name of misnamed) registry.removeSingleMetric(name)
  return {
    meter: makeMeter(registry),
    addReadings: (readings) => addGauges(registry, readings),
    text: () => registry.metrics(),
    contentType: registry.contentType,
  }
}
