import { Group } from '@mantine/core'
import { useState } from 'react'
import { Loaded } from '../../../components/loaded.tsx'
import { LogLine, LogLines } from '../../../components/log.tsx'
import { countWords } from '../../../components/numbers/count-words.ts'
import { Facts, Section } from '../../../components/page.tsx'
import { Figure } from '../../../components/patterns/figure.tsx'
import { Status } from '../../../components/status.tsx'
import type { Body } from '../../../data/api.ts'
import { useApiQuery } from '../../../data/queries.ts'
import { type CountsRange, rangeBars, rangeNames } from '../../../layouts/counts/counts.ts'
import { RangeBars, RangeChoice } from '../../../layouts/counts/counts-bars.tsx'
import { showMs } from './show-ms.ts'

type TriggerRuns = Body<'getTriggerRuns'>
type RecentRun = TriggerRuns['last'][number]

/** How often the trigger ran, how long its runs took, which failed, and what they cost. */
export function Runs({ fullname }: { fullname: string }) {
  const [range, setRange] = useState<CountsRange>('24h')
  const query = useApiQuery('getTriggerRuns', { fullname, query: { range } }, { pollMs: 15_000 })
  return (
    <Section
      title="Runs"
      about="The trigger runs on each item that its source matches. A run that does not meet the conditions sends no alert."
      actions={<RangeChoice label="Time range of the runs" range={range} choose={setRange} />}
    >
      <Loaded query={query} height={320}>
        {(runs) => <RunHistory runs={runs} />}
      </Loaded>
    </Section>
  )
}

function RunHistory({ runs: { range, total, hours, last } }: { runs: TriggerRuns }) {
  const bars = rangeBars(
    range,
    hours.map(({ hour, runs, failed }) => ({ hour, good: runs - failed, failed })),
  )
  return (
    <>
      <Facts facts={factsOf(total).map(([name, value]) => [name, <Figure key={name} size="card" value={value} />])} />
      <Group mt="md" grow>
        <RangeBars
          range={range}
          label={`${rangeNames[range]}: ${countWords(total.runs, 'run')}, ${total.failed.toLocaleString('en')} failed`}
          names={{ good: 'Runs without an error', failed: 'Failed runs' }}
          bars={bars}
          height={140}
        />
      </Group>
      <LogLines label="Last runs">
        {last.map((run) => (
          <RunLine key={`${run.at} ${run.item}`} run={run} />
        ))}
      </LogLines>
    </>
  )
}

function factsOf({ runs, failed, durationMs, slowestMs, providerCalls }: TriggerRuns['total']): [string, string][] {
  return [
    ['Runs', runs.toLocaleString('en')],
    ['Failed', failed.toLocaleString('en')],
    ['Average time', runs === 0 ? '–' : showMs(durationMs / runs)],
    ['Slowest', runs === 0 ? '–' : showMs(slowestMs)],
    ['Total time', showMs(durationMs)],
    ['Provider calls', providerCalls.toLocaleString('en')],
  ]
}

const outcomes = {
  fired: { tone: 'good', label: 'Fired' },
  silent: { tone: 'quiet', label: 'No alert' },
  failed: { tone: 'bad', label: 'Failed' },
} as const

function RunLine({ run: { at, item, outcome, durationMs, providerCalls, error } }: { run: RecentRun }) {
  return (
    <LogLine status={<Status value={outcome} {...outcomes[outcome]} />} at={at}>
      <span title={item}>
        {showMs(durationMs)}
        {providerCalls > 0 && ` · ${countWords(providerCalls, 'provider call')}`}
      </span>
      {error && <div>{error}</div>}
    </LogLine>
  )
}
