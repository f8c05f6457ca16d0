import { Group } from '@mantine/core'
import { useState } from 'react'
import { Loaded } from '../../../components/loaded.tsx'
import { Facts, Section } from '../../../components/page.tsx'
import { Figure } from '../../../components/patterns/figure.tsx'
import { useApiQuery } from '../../../data/queries.ts'
import type { Counts, CountsRange } from '../../../layouts/counts/counts.ts'
import { CountsBars } from '../../../layouts/counts/counts-bars.tsx'
import { RangeChoice } from '../../../layouts/counts/range-choice.tsx'

/** How often the trigger fired, how many attempts to deliver failed, and how many deliveries were given up. */
export function Firings({ fullname }: { fullname: string }) {
  const [range, setRange] = useState<CountsRange>('24h')
  const query = useApiQuery('getTriggerCounts', { fullname, query: { range } }, { pollMs: 30_000 })
  return (
    <Section
      title="Firings"
      actions={<RangeChoice label="Time range of the firings" range={range} choose={setRange} />}
    >
      <Loaded query={query} height={260}>
        {(counts) => <Chart counts={counts} />}
      </Loaded>
    </Section>
  )
}

function Chart({ counts }: { counts: Counts }) {
  const { recorded, delivered, failed, failedAttempts } = counts.total
  return (
    <>
      <Facts
        facts={[
          ['Fired', <Figure key="fired" size="card" value={recorded.toLocaleString('en')} />],
          ['Delivered', <Figure key="delivered" size="card" value={delivered.toLocaleString('en')} />],
          ['Failed attempts', <Figure key="attempts" size="card" value={failedAttempts.toLocaleString('en')} />],
          ['Given up', <Figure key="failed" size="card" value={failed.toLocaleString('en')} />],
        ]}
      />
      <Group mt="md" grow>
        <CountsBars counts={counts} height={180} />
      </Group>
    </>
  )
}
