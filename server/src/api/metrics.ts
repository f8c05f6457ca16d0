import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import type { OpenStore } from '../store/index.ts'

export type HttpMetrics = {
  observe(method: string, route: string, status: number, ms: number): void
  text(): Promise<string>
  contentType: string
}

export function makeMetrics(replicaReads: OpenStore['replicaReads']): HttpMetrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  if (replicaReads) addReplicaReads(registry, replicaReads)
  const duration = new Histogram({
    name: 'tocsin_http_request_duration_seconds',
    help: 'Time from the first byte of a request to the last byte of its response',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  })
  const childOf = remember((route: string) =>
    remember((method: string) => remember((hundreds: number) => duration.labels(method, route, `${hundreds}xx`))),
  )
  return {
    observe(method, route, status, ms) {
      childOf(route)(method)(Math.floor(status / 100)).observe(ms / 1000)
    },
    text: () => registry.metrics(),
    contentType: registry.contentType,
  }
}

/** The store counts; the counter copies its numbers when it is read. */
function addReplicaReads(registry: Registry, reads: NonNullable<OpenStore['replicaReads']>): void {
  new Counter({
    name: 'tocsin_replica_reads_total',
    help: 'Reads of lists and streams with a replica: read there, or on the primary because the replica was behind, failed or was resting',
    labelNames: ['outcome'],
    registers: [registry],
    collect() {
      this.reset()
      for (const [outcome, count] of Object.entries(reads)) this.inc({ outcome }, count)
    },
  })
}

/** Looks labels up one by one: joining them into a key would cost more than counting the request. */
function remember<Key, Made>(make: (key: Key) => Made): (key: Key) => Made {
  const made = new Map<Key, Made>()
  return (key) => {
    const known = made.get(key)
    if (known !== undefined) return known
    const fresh = make(key)
    made.set(key, fresh)
    return fresh
  }
}
