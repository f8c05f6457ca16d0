import { SegmentedControl, Table, Text } from '@mantine/core'
import { useState } from 'react'
import { LineChart } from '../../charts/line-chart.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { countWords } from '../../components/numbers/count-words.ts'
import { Section } from '../../components/page.tsx'
import type { Body } from '../../data/api.ts'
import { useApiQuery } from '../../data/queries.ts'

type History = Body<'getSourceHistory'>
type Endpoint = History['endpoints'][number]

const ranges = [
  { value: '1h' as const, label: '1 hour' },
  { value: '24h' as const, label: '24 hours' },
  { value: '7d' as const, label: '7 days' },
]
const pollMs = 30_000
/** A sample may be late. Two or more that are missing are a gap. */
const gapSteps = 2.5
const time = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' })

type SourceHistoryProps = { fullname: string; title: string; lag: number | undefined }

/** Lag and age of the latest block over time, and how the endpoints answer. */
export function SourceHistory({ fullname, title, lag }: SourceHistoryProps) {
  const [range, setRange] = useState<History['range']>('24h')
  const { data, error } = useApiQuery('getSourceHistory', { fullname, query: { range } }, { pollMs })
  return (
    <>
      <Section
        title="Lag"
        about="Blocks between the latest block of the chain and the processed block. In a gap, the service did not follow the source."
        actions={<SegmentedControl aria-label="Range" value={range} onChange={setRange} data={ranges} />}
      >
        <ErrorNotice error={error} />
        {data && <LagHistory history={data} title={title} lag={lag} />}
      </Section>
      {data && <HeadAge history={data} title={title} />}
      {data && data.endpoints.length > 0 && (
        <Section title="Endpoints" about="Calls within the last hour.">
          <Endpoints endpoints={data.endpoints} />
        </Section>
      )}
    </>
  )
}

type LagHistoryProps = { history: History; title: string; lag: number | undefined }

/** The stored minutes, and the current lag as the last point. */
function LagHistory({ history: { samples, stepMs }, title, lag }: LagHistoryProps) {
  const stored = samples.flatMap(({ at, lag }) => (lag === undefined ? [] : { x: Date.parse(at), y: lag }))
  const points = lag === undefined ? stored : [...stored, { x: Date.now(), y: lag }]
  if (points.length === 0) return <Text c="dimmed">The source has not reported a block yet.</Text>
  return (
    <>
      <LineChart
        label={`Lag of ${title}: ${points.at(-1)?.y ?? 0} blocks now`}
        name="Blocks behind"
        points={points}
        xLabel={(x) => time.format(x)}
        gapMin={stepMs * gapSteps}
        height={170}
      />
      {samples.length > 0 && (
        <Text size="sm" c="dimmed" mt="xs">
          {summaryOf(samples, stepMs)}
        </Text>
      )}
    </>
  )
}

/** How old the latest block was. It grows while the chain or the endpoints stand still. */
function HeadAge({ history: { samples, stepMs }, title }: { history: History; title: string }) {
  const points = samples.flatMap(({ at, headAgeMs }) =>
    headAgeMs === undefined ? [] : { x: Date.parse(at), y: Math.round(headAgeMs / 1000) },
  )
  if (points.length < 2) return null
  return (
    <Section title="Age of the latest block" about="The longest time without a new block, in seconds.">
      <LineChart
        label={`Age of the latest block of ${title}: at most ${duration(1000 * Math.max(...points.map(({ y }) => y)))}`}
        name="Seconds"
        points={points}
        xLabel={(x) => time.format(x)}
        gapMin={stepMs * gapSteps}
        unit=" s"
        height={140}
      />
    </Section>
  )
}

function summaryOf(samples: History['samples'], stepMs: number): string {
  const worst = Math.max(0, ...samples.map(({ lag = 0 }) => lag))
  const ageMs = Math.max(0, ...samples.map(({ headAgeMs = 0 }) => headAgeMs))
  const errors = samples.filter(({ status }) => status === 'error').length
  const inError =
    errors > 0 ? ` In error for about ${countWords(Math.round((errors * stepMs) / 60_000), 'minute')}.` : ''
  return `At most ${countWords(worst, 'block')} behind. Longest time without a new block: ${duration(ageMs)}.${inError}`
}

function Endpoints({ endpoints }: { endpoints: Endpoint[] }) {
  return (
    <Table.ScrollContainer minWidth={480}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            {['Endpoint', 'Latency', 'Calls', 'Errors', 'Rate limited', 'Behind'].map((name) => (
              <Table.Th key={name}>{name}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {endpoints.map((endpoint, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two endpoints may have the same host
            <Table.Tr key={at}>
              <Table.Td className="mono">{endpoint.host}</Table.Td>
              <Table.Td>{endpoint.latencyMs === undefined ? '–' : `${Math.round(endpoint.latencyMs)} ms`}</Table.Td>
              <Table.Td>{endpoint.requests.toLocaleString('en')}</Table.Td>
              <Table.Td>{errorsOf(endpoint)}</Table.Td>
              <Table.Td>{endpoint.rateLimited.toLocaleString('en')}</Table.Td>
              <Table.Td>{endpoint.lag === undefined ? '–' : countWords(endpoint.lag, 'block')}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

function errorsOf({ failures, errorRate, timeouts }: Endpoint): string {
  if (failures === 0) return 'None'
  const share = errorRate === undefined ? '' : ` (${(100 * errorRate).toFixed(1)} %)`
  return `${failures.toLocaleString('en')}${share}${timeouts > 0 ? `, ${countWords(timeouts, 'time-out')}` : ''}`
}

function duration(ms: number): string {
  return ms < 90_000 ? `${Math.round(ms / 1000)} s` : `${Math.round(ms / 60_000)} min`
}
