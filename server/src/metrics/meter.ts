import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import { type MetricName, metricTable } from './table.ts'

/** `error`: the method failed. `limited`: the node sent a rate limit. `failed`: the node gave no usable answer. */
export type RpcOutcome = 'ok' | 'error' | 'limited' | 'timeout' | 'failed'
export type RecordCall = (method: string, outcome: RpcOutcome, tookMs: number) => void
export type DeliveryOutcome = 'delivered' | 'retried' | 'failed'

/** Counts things where they happen. Every call is cheap: it looks up what it increments. */
export type Meter = {
  /** Returns the function that counts the calls to the nodes of this source. */
  rpcOf(source: string): RecordCall
  blocks(source: string, blocks: number, matches: number): void
  runs(outcomes: readonly string[], tookMs: number): void
  script(tookMs: number): void
  alerts(severity: string, state: string | null, count: number): void
  delivery(blueprint: string, outcome: DeliveryOutcome, tookMs: number): void
  blockToDelivery(tookMs: number): void
  leases(kind: 'source' | 'lane', count: number): void
  request(method: string, route: string, status: number, tookMs: number): void
}

const callBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
const requestBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]
const runBuckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60]
const blockToDeliveryBuckets = [0.1, 0.25, 0.5, 1, 2, 3, 5, 10, 15, 30, 60, 120, 300, 900, 3_600]
/** Tenants name sources and methods, so their number is limited. The rest is counted as `other`. */
const [sourcesMax, methodsMax] = [2_000, 100]
const rest = 'other'

export function makeMeter(registry: Registry): Meter {
  return { ...meterFollowing(registry), ...meterEvaluation(registry), ...meterDelivery(registry) }
}

function meterFollowing(registry: Registry): Pick<Meter, 'rpcOf' | 'blocks' | 'leases'> {
  const requests = counter(registry, 'tocsin_rpc_requests_total')
  const seconds = histogram(registry, 'tocsin_rpc_seconds', callBuckets)
  const blocks = counter(registry, 'tocsin_blocks_total')
  const matches = counter(registry, 'tocsin_items_matched_total')
  const leases = gauge(registry, 'tocsin_leases_held')
  const knownMethod = remember((method: string) => method, { max: methodsMax, rest })
  const ofSource = remember(
    (source: string) => ({
      seconds: seconds.labels(source),
      requests: remember((method: string) =>
        remember((outcome: RpcOutcome) => requests.labels(source, method, outcome)),
      ),
      blocks: blocks.labels(source),
      matches: matches.labels(source),
    }),
    { max: sourcesMax, rest },
  )
  return {
    rpcOf: (source) => (method, outcome, tookMs) => {
      const children = ofSource(source)
      children.requests(knownMethod(method))(outcome).inc()
      children.seconds.observe(tookMs / 1_000)
    },
    blocks(source, blocks, matches) {
      const children = ofSource(source)
      children.blocks.inc(blocks)
      children.matches.inc(matches)
    },
    leases: (kind, count) => leases.set({ kind }, count),
  }
}

function meterEvaluation(registry: Registry): Pick<Meter, 'runs' | 'script' | 'alerts'> {
  const runs = counter(registry, 'tocsin_runs_total')
  const runSeconds = histogram(registry, 'tocsin_run_seconds', runBuckets)
  const scriptSeconds = histogram(registry, 'tocsin_script_seconds', runBuckets)
  const alerts = counter(registry, 'tocsin_alerts_total')
  const runsOf = remember((outcome: string) => runs.labels(outcome))
  const alertsOf = remember((severity: string) =>
    remember((state: string | null) => alerts.labels(severity, state ?? 'none')),
  )
  return {
    runs(outcomes, tookMs) {
      for (const outcome of outcomes) {
        runsOf(outcome).inc()
        runSeconds.observe(tookMs / 1_000)
      }
    },
    script: (tookMs) => scriptSeconds.observe(tookMs / 1_000),
    alerts: (severity, state, count) => alertsOf(severity)(state).inc(count),
  }
}

function meterDelivery(registry: Registry): Pick<Meter, 'delivery' | 'blockToDelivery' | 'request'> {
  const deliveries = counter(registry, 'tocsin_deliveries_total')
  const seconds = histogram(registry, 'tocsin_delivery_seconds', callBuckets)
  const blockToDelivery = histogram(registry, 'tocsin_block_to_delivery_seconds', blockToDeliveryBuckets)
  const requests = histogram(registry, 'tocsin_http_request_duration_seconds', requestBuckets)
  const deliveriesOf = remember((blueprint: string) => ({
    seconds: seconds.labels(blueprint),
    outcomes: remember((outcome: DeliveryOutcome) => deliveries.labels(blueprint, outcome)),
  }))
  const requestsOf = remember((route: string) =>
    remember((method: string) => remember((hundreds: number) => requests.labels(method, route, `${hundreds}xx`))),
  )
  return {
    delivery(blueprint, outcome, tookMs) {
      const children = deliveriesOf(blueprint)
      children.outcomes(outcome).inc()
      children.seconds.observe(tookMs / 1_000)
    },
    // The clocks of a chain and of this machine may differ.
    blockToDelivery: (tookMs) => blockToDelivery.observe(Math.max(0, tookMs) / 1_000),
    request: (method, route, status, tookMs) =>
      requestsOf(route)(method)(Math.floor(status / 100)).observe(tookMs / 1_000),
  }
}

export function counter(registry: Registry, name: MetricName, collect?: (this: Counter) => void | Promise<void>) {
  return new Counter({ ...rowOf(name), registers: [registry], ...(collect && { collect }) })
}

export function gauge(registry: Registry, name: MetricName, collect?: (this: Gauge) => void | Promise<void>) {
  return new Gauge({ ...rowOf(name), registers: [registry], ...(collect && { collect }) })
}

function histogram(registry: Registry, name: MetricName, buckets: number[]) {
  return new Histogram({ ...rowOf(name), registers: [registry], buckets })
}

function rowOf(name: MetricName) {
  const { help, labels } = metricTable[name]
  return { name, help, labelNames: labels }
}

/**
 * Keeps what was made for each key. Labels are looked up one by one, because joining them into a key would cost more than
 * counting. After `max` keys, further keys share what is made for `rest`: tenants name some of the labels, and must not be
 * able to fill the memory with them.
 */
function remember<Key, Made>(make: (key: Key) => Made, limit?: { max: number; rest: Key }): (key: Key) => Made {
  const made = new Map<Key, Made>()
  const find = (key: Key): Made => {
    const known = made.get(key)
    if (known !== undefined) return known
    if (limit && made.size >= limit.max && key !== limit.rest) return find(limit.rest)
    const fresh = make(key)
    made.set(key, fresh)
    return fresh
  }
  return find
}
