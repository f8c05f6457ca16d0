import { SegmentedControl, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { Log, LogLine } from '../../components/log.tsx'
import { Section } from '../../components/page.tsx'
import { Status, statusLabel } from '../../components/status.tsx'
import { api, type Body } from '../../data/api.ts'
import { keyOf } from '../../data/queries.ts'
import { failureOf } from '../../data/query-client.ts'

type Level = 'info' | 'warn' | 'error'
type Entry = Body<'getCustomSourceLogs'>['entries'][number]
const levels: { value: Level; label: string }[] = [
  { value: 'info', label: 'All' },
  { value: 'warn', label: 'Warnings' },
  { value: 'error', label: 'Errors' },
]

/** The log of a source, newest first. A level includes all more severe levels. */
export function SourceLogs({ fullname }: { fullname: string }) {
  const [level, setLevel] = useState<Level>('info')
  const queryKey = [...keyOf('getCustomSourceLogs', { fullname, level }), 'pages']
  const logs = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) =>
      api.getCustomSourceLogs({
        fullname,
        query: { limit: '50', level, ...(pageParam !== '' && { datetime: pageParam }) },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ hasMore, entries }) => (hasMore ? entries.at(-1)?.at : undefined),
    refetchInterval: 5_000,
  })
  const error = failureOf(logs, queryKey)
  const entries = logs.data?.pages.flatMap((page) => page.entries) ?? []
  return (
    <Section
      title="Log"
      actions={<SegmentedControl aria-label="Level" size="xs" data={levels} value={level} onChange={setLevel} />}
    >
      <ErrorNotice error={error} retry={() => void logs.refetch()} />
      {!logs.isPending && !error && entries.length === 0 && (
        <Text c="dimmed">{level === 'info' ? 'No log entries yet.' : 'No log entries of this level.'}</Text>
      )}
      <Log pages={logs}>
        {entries.map((entry) => (
          <Line key={entry.id} entry={entry} />
        ))}
      </Log>
    </Section>
  )
}

function Line({ entry: { level, message, at, details } }: { entry: Entry }) {
  const isDetailed = details !== undefined && Object.keys(details).length > 0
  const status = <Status value={level === 'error' ? 'failed' : level} label={statusLabel(level)} />
  return (
    <LogLine status={status} at={at} detailsTitle="Details" {...(isDetailed && { details })}>
      {message}
    </LogLine>
  )
}
