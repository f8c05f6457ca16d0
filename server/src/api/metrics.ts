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
    help: 'Time from the first byte of a request to the last of its answer',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  })
  const children = new Map<string, { observe(seconds: number): void }>()
  return {
    observe(method, route, status, ms) {
      const key = `${method} ${route} ${status}`
      let child = children.get(key)
      if (!child) {
        child = duration.labels(method, route, `${Math.floor(status / 100)}xx`)
        children.set(key, child)
      }
      child.observe(ms / 1000)
    },
    text: () => registry.metrics(),
    contentType: registry.contentType,
  }
}
