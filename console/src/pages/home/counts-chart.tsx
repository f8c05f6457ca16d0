import { useState } from 'react'
import { Loaded } from '../../components/loaded.tsx'
import { Figure } from '../../components/patterns/figure.tsx'
import { useApiQuery } from '../../data/queries.ts'
import { type Counts, type CountsRange, rangeNames } from '../../layouts/counts/counts.ts'
import { CountsBars } from '../../layouts/counts/counts-bars.tsx'
import { RangeChoice } from '../../layouts/counts/range-choice.tsx'
import { Card } from './card.tsx'
import classes from './home.module.css'

const pollMs = 30_000

/** Alerts of the last 24 hours, 7 days or 30 days. */
export function CountsChart({ workspace }: { workspace: string }) {
  const [range, setRange] = useState<CountsRange>('24h')
  const query = useApiQuery('getWorkspaceCounts', { fullname: workspace, query: { range } }, { pollMs })
  return (
    <Card
      title={range === '24h' ? 'Alerts per hour' : 'Alerts per day'}
      action={<RangeChoice label="Time range" range={range} choose={setRange} />}
    >
      <Loaded query={query} height={260}>
        {(counts) => <Chart counts={counts} />}
      </Loaded>
    </Card>
  )
}

function Chart({ counts }: { counts: Counts }) {
  return (
    <>
      <p className={classes.total}>
        <Figure size="card" value={counts.total.recorded.toLocaleString('en')} />
        <span className={classes.key} data-series="good">
          Alerts
        </span>
        <span className={classes.key} data-series="failed">
          Failed attempts {counts.total.failedAttempts.toLocaleString('en')}
        </span>
      </p>
      <CountsBars counts={counts} />
      <p className={classes.note}>
        {rangeNames[counts.range]}. The last bar is not complete. A failed attempt is retried for about a day.
      </p>
    </>
  )
}
