import { readFileSync } from 'node:fs'
import perfHooks from 'node:perf_hooks'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { makeMetrics } from '../server/src/metrics/index.ts'
import { type MetricRow, metricTable } from '../server/src/metrics/table.ts'
import type { Service } from '../server/src/service.ts'
import { attributeOf, type Collector, startCollector } from './harness/collector.ts'
import { type Receiver, startReceiver } from './harness/deliveries.ts'
import { until } from './harness/following.ts'
import { customSource, type Harness, harness, project, resource, subscription, trigger } from './harness/index.ts'
import { type Family, lintExposition, readExposition, sampleValue } from './harness/prometheus.ts'
import { startEvmNode } from './nodes/evm.ts'

const token = 'a-token-of-the-operator'
const webhook = 'common.delivery.webhook'
let house: Harness
let engine: Service
let receiver: Receiver
let collector: Collector
let node: Awaited<ReturnType<typeof startEvmNode>>
const word = `0x${'1'.padStart(64, '0')}`

beforeAll(async () => {
  collector = await startCollector()
  house = await harness({
    ALLOW_PRIVATE_NETWORKS: 'on',
    METRICS_PORT: '0',
    METRICS_TOKEN: token,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  })
  engine = await house.startEngine()
  receiver = await startReceiver()
  node = await startEvmNode()
})
afterAll(async () => {
  await engine?.stop()
  await house?.close()
  receiver?.close()
  collector?.close()
})

async function scrape(url: string): Promise<Family[]> {
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
  expect([response.status, response.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/plain')])
  return readExposition(await response.text())
}

/** A trigger on every log of a real node, delivered to a webhook. */
async function subscribeToLogs(endpoint: string): Promise<void> {
  const ann = await house.person('ann')
  await ann.saveWorkspace({ fullname: 'acme', body: { fullname: 'acme' } })
  await ann.saveProject({ fullname: 'acme.p', body: project('acme.p') })
  await ann.saveResource({ fullname: 'acme.hook', body: resource('acme.hook', { data: { url: receiver.url } }) })
  const body = customSource('acme.evm', { kind: 'evm', endpoints: [endpoint] })
  await ann.saveCustomSource({ fullname: 'acme.evm', body })
  const triggerSpec = { type: 'evm_log', dataSource: 'acme.evm' } as never
  const definition = trigger('acme.p.t', { triggerSpec, transform: '({ data: source.data })' })
  await ann.saveTrigger({ fullname: 'acme.p.t', body: definition })
  await ann.createSubscription({ body: subscription('acme.p.t', { resources: ['acme.hook'] }) })
  await until(
    () => ann.getCustomSource({ fullname: 'acme.evm' }),
    ({ status, runtime }) => status.status === 'running' && runtime?.processedBlock !== undefined,
  )
}

test('an engine counts every stage from a block to its delivery', async () => {
  await subscribeToLogs(node.url)
  await node.emit([word], word)
  const head = Number(await node.request('eth_blockNumber'))
  const delivered = { blueprint: webhook, outcome: 'delivered' }
  const families = await until(
    () => scrape(engine.metricsUrl),
    (seen) =>
      sampleValue(seen, 'tocsin_deliveries_total', delivered) === 1 &&
      sampleValue(seen, 'tocsin_source_processed_block') === head,
  )
  const value = (name: string, labels?: Record<string, string>) => sampleValue(families, name, labels)
  const source = { source: 'acme.evm' }
  expect(value('tocsin_source_head_block', source)).toBe(head)
  expect(value('tocsin_source_lag_blocks', source)).toBe(0)
  expect(value('tocsin_source_status', { ...source, status: 'running' })).toBe(1)
  expect(value('tocsin_source_status', { ...source, status: 'error' })).toBe(0)
  expect(value('tocsin_rpc_requests_total', { ...source, method: 'eth_chainId', outcome: 'ok' })).toBeGreaterThan(0)
  expect(value('tocsin_rpc_seconds_count', source)).toBeGreaterThan(0)
  expect(value('tocsin_blocks_total', source)).toBeGreaterThan(0)
  expect(value('tocsin_items_matched_total', source)).toBe(1)
  expect(value('tocsin_runs_total', { outcome: 'output' })).toBe(1)
  expect(value('tocsin_run_seconds_count')).toBe(1)
  expect(value('tocsin_script_seconds_count')).toBe(1)
  expect(value('tocsin_alerts_total', { severity: 'info', state: 'none' })).toBe(1)
  expect(value('tocsin_delivery_seconds_count', { blueprint: webhook })).toBe(1)
  expect(value('tocsin_block_to_delivery_seconds_count')).toBe(1)
  for (const queue of ['evaluate', 'evaluate-ordered', 'deliver', 'policy', 'deliveries'])
    expect([value('tocsin_queue_depth', { queue }), value('tocsin_queue_oldest_seconds', { queue })]).toEqual([
      expect.any(Number),
      expect.any(Number),
    ])
  expect(value('tocsin_leases_held', { kind: 'source' })).toBe(2)
  expect(value('tocsin_db_pool_in_use')).toBeGreaterThanOrEqual(0)
})

test('one trace leads from the block to the delivery', async () => {
  const spans = await until(
    async () => [...collector.spans],
    (seen) => seen.some(({ name }) => name === 'deliver') && seen.length >= 4,
  )
  const [block, evaluate, alert, deliver] = ['block', 'evaluate', 'alert', 'deliver'].map((name) => {
    const found = spans.filter((span) => span.name === name)
    expect([name, found.length]).toEqual([name, 1])
    return found[0]!
  })
  expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1)
  expect(block?.parentSpanId ?? '').toBe('')
  expect([evaluate?.parentSpanId, alert?.parentSpanId, deliver?.parentSpanId]).toEqual([
    block?.spanId,
    evaluate?.spanId,
    alert?.spanId,
  ])
  for (const span of spans) expect(attributeOf(span, 'tocsin.source')).toBe('acme.evm')
  expect(attributeOf(deliver!, 'tocsin.blueprint')).toBe(webhook)
  expect(attributeOf(deliver!, 'http.response.status_code')).toBe(204)
})

test('a delivery that fails and a node that is gone are counted as such', async () => {
  receiver.answer = () => ({ status: 500 })
  await node.emit([word], word)
  const retried = { blueprint: webhook, outcome: 'retried' }
  const families = await until(
    () => scrape(engine.metricsUrl),
    (seen) => sampleValue(seen, 'tocsin_deliveries_total', retried) === 1,
  )
  // An attempt that failed is not the end of the way from the block to the delivery.
  expect(sampleValue(families, 'tocsin_block_to_delivery_seconds_count')).toBe(1)
  await until(
    async () => collector.spans.filter(({ status }) => status.code === 2).map(({ name }) => name),
    (failed) => failed.includes('deliver'),
  )
  await node.close()
  await until(
    () => scrape(engine.metricsUrl),
    (seen) => seen.some(isFailedCall),
  )
})

function isFailedCall({ name, samples }: Family): boolean {
  return name === 'tocsin_rpc_requests_total' && samples.some(({ labels }) => labels.outcome === 'failed')
}

test('the API reports the same gauges of the store', async () => {
  const families = await scrape(`${house.url}/metrics`)
  const [own, others] = [families, await scrape(engine.metricsUrl)].map((seen) =>
    sampleValue(seen, 'tocsin_source_processed_block', { source: 'acme.evm' }),
  )
  expect(own).toBe(others)
  expect(sampleValue(families, 'tocsin_queue_depth', { queue: 'deliveries' })).toBe(0)
  expect(
    sampleValue(families, 'tocsin_http_request_duration_seconds_count', { route: '/api/workspaces/:fullname' }),
  ).toBe(1)
})

test('an engine serves its metrics to callers with the token, and nothing else', async () => {
  expect((await fetch(engine.metricsUrl)).status).toBe(401)
  for (const path of ['/api/health', '/api/me', '/'])
    expect((await fetch(new URL(path, engine.metricsUrl))).status).toBe(404)
  expect((await fetch(engine.metricsUrl, { method: 'POST' })).status).toBe(404)
})

test('every metric of the table is exposed with its type and help, and no other of ours', async () => {
  for (const url of [engine.metricsUrl, `${house.url}/metrics`]) {
    const families = await scrape(url)
    expect(lintExposition(families)).toEqual([])
    const own = families
      .filter(({ name }) => name.startsWith('tocsin_'))
      .map(({ name, type, help }) => [name, type, help])
    const table = Object.entries<MetricRow>(metricTable).map(([name, { type, help }]) => [name, type, help])
    // Without a replica there are no reads of it.
    const wanted = table.filter(([name]) => name !== 'tocsin_replica_reads_total')
    expect(own.toSorted()).toEqual(wanted.toSorted())
  }
})

test('the lint finds what promtool would', () => {
  const text = [
    '# HELP requests Requests\n# TYPE requests counter\nrequests 1',
    '# TYPE waits_milliseconds gauge\nwaits_milliseconds 1',
    '# HELP open_total Open\n# TYPE open_total gauge\nopen_total{someLabel="a"} 1\nopen_total{someLabel="a"} 2',
  ].join('\n')
  expect(lintExposition(readExposition(text))).toEqual([
    'requests: a counter ends in _total',
    'waits_milliseconds: no help text',
    'waits_milliseconds: not a base unit',
    'open_total: only a counter ends in _total',
    'open_total: names are in snake_case',
    'open_total: a sample stands twice',
  ])
})

test('labels that tenants write are limited in number', async () => {
  const { meter, text } = makeMetrics()
  for (let at = 0; at < 3_000; at += 1) meter.rpcOf(`acme.s${at}`)(`method${at}`, 'ok', 1)
  const requests = readExposition(await text()).find(({ name }) => name === 'tocsin_rpc_requests_total')?.samples ?? []
  expect(new Set(requests.map(({ labels }) => labels.source)).size).toBe(2_001)
  expect(new Set(requests.map(({ labels }) => labels.method)).size).toBe(101)
  expect(requests.reduce((sum, { value }) => sum + value, 0)).toBe(3_000)
})

test('the event loop is watched only since metrics were read for the first time', async () => {
  const watch = vi.spyOn(perfHooks, 'monitorEventLoopDelay')
  try {
    const { text } = makeMetrics()
    expect(watch).not.toHaveBeenCalled()
    const [first] = await Promise.all([text(), text()])
    expect(watch).toHaveBeenCalledOnce()
    const families = readExposition(first)
    // The second read comes before the library has looked at the event loop again.
    for (const read of [first, await text(), await text()])
      for (const name of ['nodejs_eventloop_lag_min_seconds', 'nodejs_eventloop_lag_p99_seconds'])
        expect(sampleValue(readExposition(read), name)).toBeLessThan(1_000)
    expect(families.map(({ name }) => name)).not.toContain('nodejs_active_handles_total')
  } finally {
    watch.mockRestore()
  }
})

test('docs/metrics.md describes every metric as the code does', () => {
  const page = readFileSync(new URL('../docs/metrics.md', import.meta.url), 'utf8')
  const described = [...page.matchAll(/^\| `(tocsin_\w+)` \| (\w+) \| (.*?) \| (.*?) \|$/gm)].map((row) =>
    row.slice(1, 5),
  )
  const table = Object.entries<MetricRow>(metricTable).map(([name, { type, labels, help }]) => [
    ...[name, type, labels.map((label) => `\`${label}\``).join(', ') || '–', help],
  ])
  expect(described).toEqual(table)
})
