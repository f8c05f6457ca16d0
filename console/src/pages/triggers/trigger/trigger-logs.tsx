import { Select, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ErrorNotice } from '../../../components/error-notice.tsx'
import { Log, LogLine } from '../../../components/log.tsx'
import { Section } from '../../../components/page.tsx'
import { Status, statusOptions } from '../../../components/status.tsx'
import { api, type Body } from '../../../data/api.ts'
import { keyOf } from '../../../data/queries.ts'
import { failureOf } from '../../../data/query-client.ts'

type Entry = Body<'getTriggerLogs'>['logs'][number]
type Outcome = Entry['status']
const outcomes: Outcome[] = ['delivered', 'failed', 'rate_limited', 'blocked', 'limited']

/** Deliveries and source pressure of a trigger. The service merges equal entries within an hour and counts them. */
export function TriggerLogs({ fullname }: { fullname: string }) {
  const [status, setStatus] = useState<Outcome | null>(null)
  const queryKey = [...keyOf('getTriggerLogs', { fullname, status }), 'pages']
  const logs = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) =>
      api.getTriggerLogs({
        fullname,
        query: { limit: 50, ...(status && { status }), ...(pageParam !== '' && { datetime: pageParam }) },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ hasMore, logs }) => (hasMore ? logs.at(-1)?.lastSeenAt : undefined),
    refetchInterval: 10_000,
  })
  const error = failureOf(logs, queryKey)
  const entries = logs.data?.pages.flatMap((page) => page.logs) ?? []
  const counts = logs.data?.pages[0]?.subscriptions
  return (
    <Section
      title="Log"
      about={counts && `Subscriptions: ${counts.active} active, ${counts.paused} paused.`}
      actions={
        <Select
          size="xs"
          aria-label="Outcome"
          placeholder="All outcomes"
          data={statusOptions(outcomes)}
          value={status}
          onChange={setStatus}
          clearable
        />
      }
    >
      <ErrorNotice error={error} retry={() => void logs.refetch()} />
      {!logs.isPending && !error && entries.length === 0 && (
        <Text c="dimmed">
          {status
            ? 'No log entries with this outcome.'
            : 'No log entries yet. Deliveries appear here when the trigger fires.'}
        </Text>
      )}
      <Log pages={logs}>
        {entries.map((entry) => (
          <Line key={entry.id} entry={entry} />
        ))}
      </Log>
    </Section>
  )
}

const kinds: Record<Entry['kind'], string> = {
  delivery: 'Delivery',
  delivery_failure: 'Delivery failed',
  source_pressure: 'Source pressure',
}

function Line({ entry }: { entry: Entry }) {
  const { kind, status, message, reasonCode, count, lastSeenAt, channel, resource, source, sample } = entry
  const details = sample && { details: sample }
  return (
    <LogLine status={<Status value={status} />} at={lastSeenAt} detailsTitle="Sample" {...details}>
      {reasonCode === 'trigger.runtime_error' ? 'Run failed' : kinds[kind]}
      {count > 1 && ` × ${count}`}
      {message && `: ${message}`} <code>{reasonCode}</code>
      <Text size="sm" c="dimmed">
        {[channel, resource, source].filter(Boolean).join(' · ')}
      </Text>
    </LogLine>
  )
}
