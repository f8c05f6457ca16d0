import { SegmentedControl } from '@mantine/core'
import type { CountsRange } from './counts.ts'

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
