import type { Registry } from 'prom-client'
import { counter, gauge } from './meter.ts'

type SourceProgress = { source: string; status: string; head: number | null; processed: number | null }
type QueueState = { queue: string; depth: number; oldestSeconds: number }
/** What is read when Prometheus asks. */
export type Readings = {
  /** The sources that some process follows. */
  sources(): Promise<readonly SourceProgress[]>
  queues(): Promise<readonly QueueState[]>
  connectionsInUse(): number
  replicaReads: Readonly<Record<string, number>> | undefined
}

/** Everybody who may read `/metrics` can ask often, so the store is asked at most once in this time. */
const reuseMs = 1_000
const statuses = ['pending', 'running', 'lagging', 'error', 'stopped']

/** Adds the metrics that are read when Prometheus asks. If the store does not answer, its values are left out. */
export function addGauges(registry: Registry, readings: Readings, now = () => performance.now()): void {
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
