import { Text } from '@mantine/core'
import { HistoryChart } from '../../charts/history-chart.tsx'
import { Legend } from '../../charts/legend.tsx'
import { Loaded } from '../../components/loaded.tsx'
import type { Body } from '../../data/api.ts'
import { useApiQuery } from '../../data/queries.ts'

const pollMs = 30_000
const time = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })
const names = { good: 'Delivered', failed: 'Failed attempts' }

type DeliveryChartProps = { fullname: string; title: string }

/** Deliveries that arrived and attempts that failed, for each hour of a day. */
export function DeliveryChart({ fullname, title }: DeliveryChartProps) {
  const query = useApiQuery('getResourceCounts', { fullname }, { pollMs })
  return (
    <Loaded query={query} height={190}>
      {(counts) => <Chart counts={counts} title={title} />}
    </Loaded>
  )
}

function Chart({ counts, title }: { counts: Body<'getResourceCounts'>; title: string }) {
  const { delivered, failedAttempts } = counts.total
  if (delivered + failedAttempts === 0) return <Text c="dimmed">Nothing was sent in the last 24 hours.</Text>
  return (
    <>
      <HistoryChart
        label={`Deliveries to ${title} in the last 24 hours: ${delivered} delivered, ${failedAttempts} failed attempts`}
        names={names}
        bars={counts.hours.map(({ hour, delivered, failedAttempts }, at) => ({
          label: time.format(new Date(hour)),
          good: delivered,
          failed: failedAttempts,
          isOpen: at === counts.hours.length - 1,
        }))}
        labelled={(at) => (counts.hours.length - 1 - at) % 6 === 0}
        height={160}
      />
      <Legend names={[names.good, names.failed]} hasFailures />
    </>
  )
}
