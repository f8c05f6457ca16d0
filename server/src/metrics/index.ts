/** Counts what this process does, for Prometheus. It is below all other folders, so that each can count where things happen. */

import { setTimeout as sleep } from 'node:timers/promises'
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import { counter, gauge, type Meter, makeMeter } from './meter.ts'

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

type SourceProgress = { source: string; status: string; head: number | null; processed: number | null }
type QueueState = { queue: string; depth: number; oldestSeconds: number }
/** What is read when Prometheus asks. */
type Readings = {
  /** The sources that some process follows. */
  sources(): Promise<readonly SourceProgress[]>
  queues(): Promise<readonly QueueState[]>
  /** Throws if the store does not answer or cannot write. */
  requireWritable(): Promise<void>
  version: string
  connectionsInUse(): number
  replicaReads: Readonly<Record<string, number>> | undefined
}

/** Everybody who may read `/metrics` can ask often, so the store is asked at most once in this time. */
const reuseMs = 1_000
const statuses = ['pending', 'running', 'lagging', 'error', 'stopped']

/** Adds the metrics that are read when Prometheus asks. If the store does not answer, its values are left out. */
function addGauges(registry: Registry, readings: Readings, now = () => performance.now()): void {
  const sources = reuse(readings.sources, now)
  const queues = reuse(readings.queues, now)
  addSources(registry, sources)
  gauge(registry, 'tocsin_queue_depth', async function () {
    this.reset()
    for (const { queue, depth } of await queues()) this.set({ queue }, depth)
  })
  gauge(registry, 'tocsin_queue_oldest_seconds', async function () {
    this.reset()
    for (const { queue, oldestSeconds } of await queues()) this.set({ queue }, oldestSeconds)
  })
  const isUp = reuse(async () => [await readings.requireWritable()], now)
  gauge(registry, 'tocsin_store_up', async function () {
    this.set((await isUp()).length)
  })
  gauge(registry, 'tocsin_build_info', function () {
    this.set({ version: readings.version }, 1)
  })
  gauge(registry, 'tocsin_db_pool_in_use', function () {
    this.set(readings.connectionsInUse())
  })
  const { replicaReads } = readings
  if (!replicaReads) return
  counter(registry, 'tocsin_replica_reads_total', function () {
    this.reset()
    for (const [outcome, count] of Object.entries(replicaReads)) this.inc({ outcome }, count)
  })
}

function addSources(registry: Registry, sources: () => Promise<readonly SourceProgress[]>): void {
  gauge(registry, 'tocsin_source_head_block', async function () {
    this.reset()
    for (const { source, head } of await sources()) if (head !== null) this.set({ source }, head)
  })
  gauge(registry, 'tocsin_source_processed_block', async function () {
    this.reset()
    for (const { source, processed } of await sources()) if (processed !== null) this.set({ source }, processed)
  })
  gauge(registry, 'tocsin_source_lag_blocks', async function () {
    this.reset()
    for (const { source, head, processed } of await sources())
      if (head !== null && processed !== null) this.set({ source }, Math.max(0, head - processed))
  })
  gauge(registry, 'tocsin_source_status', async function () {
    this.reset()
    for (const { source, status } of await sources())
      for (const each of statuses) this.set({ source, status: each }, Number(each === status))
  })
}

/** A failed read returns nothing: a scrape must also work while the store is down. */
function reuse<Row>(read: () => Promise<readonly Row[]>, now: () => number): () => Promise<readonly Row[]> {
  let readAt = Number.NEGATIVE_INFINITY
  let rows: Promise<readonly Row[]> = Promise.resolve([])
  return () => {
    if (now() - readAt < reuseMs) return rows
    readAt = now()
    rows = read().catch(() => [])
    return rows
  }
}
