import { Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import { LineChart, type Point } from '../../charts/line-chart.tsx'
import { relative } from '../../components/relative-time.tsx'
import { useLive } from '../../data/live.ts'
import type { Source } from './kinds.ts'

const pointsMax = 240

/** The lag since the page was opened, from polling and from the event stream. */
export function LagChart({ source }: { source: Source }) {
  const [points, setPoints] = useState<Point[]>([])
  const add = (lag: number | undefined) => {
    if (lag !== undefined) setPoints((before) => [...before, { x: Date.now(), y: lag }].slice(-pointsMax))
  }
  const lag = source.runtime?.lag
  // biome-ignore lint/correctness/useExhaustiveDependencies: every poll adds a point, also if the lag did not change
  useEffect(() => add(lag), [source])
  useLive(source.workspace, (event) => {
    if (event.event === 'source' && event.data.fullname === source.fullname) add(event.data.lag)
  })
  if (points.length === 0) return <Text c="dimmed">The source has not reported a block yet.</Text>
  const now = points.at(-1)?.y ?? 0
  return (
    <LineChart
      label={`Lag of ${source.meta.title}: ${now} blocks now`}
      points={points}
      xLabel={(x) => relative(x - Date.now())}
      height={170}
    />
  )
}
