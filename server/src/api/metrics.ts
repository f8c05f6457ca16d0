import { collectDefaultMetrics, Histogram, Registry } from 'prom-client'

export type HttpMetrics = {
  observe(method: string, route: string, status: number, ms: number): void
  text(): Promise<string>
  contentType: string
}

export function makeMetrics(): HttpMetrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
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
