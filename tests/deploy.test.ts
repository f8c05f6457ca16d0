import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { Environment, ServiceUrls } from '../server/src/config.ts'
import { type MetricRow, metricTable } from '../server/src/metrics/table.ts'

const folder = resolve(import.meta.dirname, '../deploy')
const read = (file: string) => readFileSync(join(folder, file), 'utf8')
const rows = new Map(Object.entries<MetricRow>(metricTable))

/** The names of a histogram's series end in a suffix. */
function rowOf(name: string): MetricRow | undefined {
  const base = name.replace(/_(?:bucket|sum|count)$/, '')
  return rows.get(name) ?? (rows.get(base)?.type === 'histogram' ? rows.get(base) : undefined)
}

/** The metrics of an expression that do not exist, and the labels that a metric does not have. */
function unknownIn(expression: string): string[] {
  const used = [...expression.matchAll(/\b(tocsin_\w+)(?:\{([^}]*)\})?/g)]
  return used.flatMap(([, name = '', matchers = '']) => {
    const row = rowOf(name)
    if (!row || (row.type === 'histogram' && name === name.replace(/_(?:bucket|sum|count)$/, ''))) return [name]
    const labels = [...matchers.matchAll(/(\w+)\s*[=!]/g)].map(([, label = '']) => label)
    return labels.filter((label) => !row.labels.includes(label)).map((label) => `${name}{${label}}`)
  })
}

type Rules = { groups: { rules: { alert: string; expr: string; annotations: { summary: string } }[] }[] }
type Dashboard = { panels: { title: string; type: string; targets?: { expr: string }[] }[] }

test('the alert rules use metrics and labels that the service has', () => {
  const rules = (parse(read('prometheus/alerts.yaml')) as Rules).groups.flatMap((group) => group.rules)
  expect(rules.length).toBeGreaterThan(8)
  expect(rules.flatMap(({ expr }) => unknownIn(expr))).toEqual([])
  expect(rules.filter(({ annotations }) => !annotations.summary)).toEqual([])
})

test('the dashboard uses metrics that the service has, and shows every one of section "what the service does"', () => {
  const { panels } = JSON.parse(read('grafana/dashboards/tocsin.json')) as Dashboard
  const expressions = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
  expect(expressions.flatMap(unknownIn)).toEqual([])
  const shown = new Set(expressions.flatMap((text) => [...text.matchAll(/tocsin_\w+/g)].map(([name]) => rowOf(name))))
  const missing = [...rows].filter(([, row]) => !shown.has(row)).map(([name]) => name)
  // Whether the store is up is for a rule, and the version for whoever looks a process up.
  expect(missing).toEqual(['tocsin_store_up', 'tocsin_build_info', 'tocsin_replica_reads_total'])
})

test('a metric or a label that does not exist is found', () => {
  expect(unknownIn('rate(tocsin_none_total[5m]) > tocsin_queue_depth{name="a"}')).toEqual([
    'tocsin_none_total',
    'tocsin_queue_depth{name}',
  ])
  expect(unknownIn('tocsin_run_seconds')).toEqual(['tocsin_run_seconds'])
})

test('the files of compose, Helm, systemd and the image set only options that the service has', () => {
  const options = new Set(Object.keys({ ...Environment.shape, ...ServiceUrls.shape }))
  const compose = parse(read('compose.yaml')) as { services: Record<string, { environment: Record<string, string> }> }
  const unit = [...read('systemd/tocsin.service').matchAll(/^Environment=(\w+)=/gm)].map(([, name = '']) => name)
  const image = [...(/^ENV (.*)$/m.exec(read('Dockerfile'))?.[1] ?? '').matchAll(/(\w+)=/g)].map(
    ([, name = '']) => name,
  )
  const chart = chartTemplates().flatMap((text) =>
    [...text.matchAll(/name: ([A-Z][A-Z_]+)\b/g)].map(([, name = '']) => name),
  )
  expect([unit.length, image.length, chart.length].every((count) => count > 1)).toBe(true)
  const all = [...Object.keys(compose.services.tocsin?.environment ?? {}), ...unit, ...image, ...chart]
  const ofNode = ['NODE_ENV', 'NODE_COMPILE_CACHE']
  expect(all.filter((name) => !options.has(name) && !ofNode.includes(name))).toEqual([])
})

test('the image contains every workspace, and the folders that the service reads', () => {
  const { workspaces } = JSON.parse(read('../package.json')) as { workspaces: string[] }
  const kept = [...read('Dockerfile.dockerignore').matchAll(/^!(.+)$/gm)].map(([, path = '']) => path)
  expect([...workspaces, 'scripts', 'docs', 'marketplace'].filter((folder) => !kept.includes(folder))).toEqual([])
})

test('compose names every variable in env.example, and asks for the secrets', () => {
  const text = read('compose.yaml')
  const used = new Set([...text.matchAll(/\$\{(\w+)/g)].map(([, name = '']) => name))
  const named = [...read('env.example').matchAll(/^(\w+)=/gm)].map(([, name = '']) => name)
  expect(named.toSorted()).toEqual([...used].toSorted())
  for (const secret of ['POSTGRES_PASSWORD', 'SECRET_KEY', 'METRICS_TOKEN', 'GRAFANA_PASSWORD'])
    expect(text).toContain(`\${${secret}:?}`)
})

test('the templates of the chart use only values that values.yaml has', () => {
  const values = parse(read('helm/tocsin/values.yaml')) as Record<string, unknown>
  const used = chartTemplates().flatMap((text) =>
    [...text.matchAll(/\.Values\.([\w.]+)/g)].map(([, path = '']) => path),
  )
  expect(used.length).toBeGreaterThan(20)
  expect(used.filter((path) => at(values, path) === undefined)).toEqual([])
  expect(parse(read('helm/tocsin/Chart.yaml'))).toMatchObject({ apiVersion: 'v2', name: 'tocsin' })
  expect(read('helm/tocsin/alerts.yaml')).toBe(read('prometheus/alerts.yaml'))
})

test('each Prometheus that the files set up may read the metrics: it sends the token, or the service opens them', () => {
  const { scrape_configs } = parse(read('prometheus/prometheus.yaml')) as {
    scrape_configs: { authorization: object }[]
  }
  for (const { authorization } of scrape_configs)
    expect(authorization).toEqual({ credentials_file: '/etc/prometheus/metrics-token' })
  expect(read('compose.yaml')).toContain('target: /etc/prometheus/metrics-token')
  const monitor = read('helm/tocsin/templates/monitoring.yaml')
  expect(monitor).toMatch(/if \$\.Values\.monitoring\.useToken \}\}\n\s+authorization:\n.*key: METRICS_TOKEN/)
  expect(read('helm/tocsin/templates/_helpers.tpl')).toMatch(
    /if and \.Values\.monitoring\.enabled \(not \.Values\.monitoring\.useToken\) \}\}\n- name: METRICS_OPEN\n {2}value: 'on'/,
  )
})

function chartTemplates(): string[] {
  return readdirSync(join(folder, 'helm/tocsin/templates')).map((file) => read(`helm/tocsin/templates/${file}`))
}

function at(values: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], values)
}
