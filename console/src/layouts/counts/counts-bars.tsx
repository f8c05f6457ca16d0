import { SegmentedControl } from '@mantine/core'
import type { ComponentProps } from 'react'
import { HistoryChart } from '../../charts/history-chart.tsx'
import { type Counts, type CountsRange, summaryOf, toBars } from './counts.ts'

/** How many bars one label stands for. */
const labelEvery: Record<CountsRange, number> = { '24h': 6, '7d': 1, '30d': 7 }

/** Bars over one of the ranges. The last bar has a label. */
export function RangeBars({
  range,
  ...chart
}: Omit<ComponentProps<typeof HistoryChart>, 'labelled'> & { range: CountsRange }) {
  return <HistoryChart {...chart} labelled={(at) => (chart.bars.length - 1 - at) % labelEvery[range] === 0} />
}

export const countNames = { good: 'Alerts', failed: 'Failed attempts' }

/** Alerts and failed attempts over time. */
export function CountsBars({ counts, height }: { counts: Counts; height?: number }) {
  return (
    <RangeBars
      range={counts.range}
      label={summaryOf(counts)}
      names={countNames}
      bars={toBars(counts)}
      {...(height !== undefined && { height })}
    />
  )
}

type RangeChoiceProps = { label: string; range: CountsRange; choose: (range: CountsRange) => void }

/** Chooses the time that a chart of counts shows. */
export function RangeChoice({ label, range, choose }: RangeChoiceProps) {
  return (
    <SegmentedControl
      size="xs"
      aria-label={label}
      value={range}
      onChange={(value) => choose(value)}
      data={[
        { value: '24h', label: '24 h' },
        { value: '7d', label: '7 d' },
        { value: '30d', label: '30 d' },
      ]}
    />
  )
}
