import { Button, Group, SegmentedControl, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { LinkText } from '../../components/links.tsx'
import { Log, LogLine } from '../../components/log.tsx'
import { Facts, Page, Section } from '../../components/page.tsx'
import { PageLoading } from '../../components/page-loading.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { Status, statusLabel } from '../../components/status.tsx'
import { api, type Body } from '../../data/api.ts'
import { chainTitle } from '../../data/chains.ts'
import { useChange } from '../../data/changes.ts'
import { keyOf, useApiQuery } from '../../data/queries.ts'
import { failureOf } from '../../data/query-client.ts'
import { atLeast, useWorkspace } from '../../data/workspace.ts'
import { useSources } from '../../layouts/address/use-sources.ts'
import { StackNotice } from '../../layouts/stack-notice.tsx'
import { NetworkGlyph } from '../../layouts/watch/network-glyph.tsx'
import { type Source, statusWords } from './kinds.ts'
import { NetworkPage } from './network.tsx'
import { SourceActions } from './source-actions.tsx'
import { SourceHistory } from './source-history.tsx'

const pollMs = 3_000

/** A source of a workspace, or a built-in network. Only the workspace `common` can have sources that are named like networks. */
export function SourcePage() {
  const { workspace, source: fullname } = useParams({ from: '/shell/w/$workspace/sources/$source' })
  const isNetwork = fullname.startsWith('common.') && workspace !== 'common'
  return isNetwork ? <NetworkPage {...{ workspace, fullname }} /> : <CustomSourcePage fullname={fullname} />
}

function CustomSourcePage({ fullname }: { fullname: string }) {
  const { fullname: workspace, level } = useWorkspace()
  const { data: source, error, refetch } = useApiQuery('getCustomSource', { fullname }, { pollMs })
  if (!source && error && fullname.startsWith('common.')) return <NetworkPage {...{ workspace, fullname }} />
  if (!source) return error ? <ErrorNotice error={error} retry={() => void refetch()} /> : <PageLoading />
  const mayRun = atLeast(level, 'developer')
  return (
    <Page
      title={source.meta.title}
      glyph={<SourceGlyph source={source} />}
      about={<StateLine source={source} />}
      breadcrumb={
        <LinkText to="/w/$workspace/sources" params={{ workspace }}>
          Sources
        </LinkText>
      }
      actions={mayRun && <SourceActions source={source} level={level} />}
    >
      <ErrorNotice error={error} />
      <StackNotice workspace={source.workspace} kind="source" name={fullname} labels={source.labels} />
      <Section title="Status">
        <SourceStatus source={source} />
      </Section>
      <SourceHistory fullname={fullname} title={source.meta.title} lag={source.runtime?.lag} />
      {mayRun && <SourceLogs fullname={fullname} />}
      {mayRun && <SimulateStatus fullname={fullname} />}
    </Page>
  )
}

function SourceGlyph({ source: { fullname, kind, meta } }: { source: Source }) {
  const network = useSources().find(fullname)
  return <NetworkGlyph source={network ?? { kind, title: meta.title, network: '' }} size={40} />
}

/** Status and description. The full name is shown on hover. */
function StateLine({ source: { fullname, status, meta } }: { source: Source }) {
  return (
    <span title={fullname}>
      <Status value={status.status} label={statusWords(status.status)} />
      {meta.description && ` · ${meta.description}`}
    </span>
  )
}

function SourceStatus({ source }: { source: Source }) {
  const { status, runtime, kind, endpoints, revision } = source
  const block = (number: number | undefined) => (number === undefined ? '–' : number.toLocaleString('en'))
  return (
    <>
      <Facts
        facts={[
          ['Status', <Status key="status" value={status.status} label={statusWords(status.status)} />],
          ['Status changed', <RelativeTime key="since" at={status.updatedAt} />],
          ['Kind', chainTitle(kind)],
          ['Network', runtime?.chainId ?? runtime?.genesisHash?.slice(0, 14) ?? '–'],
          ['Latest block', block(runtime?.latestBlock)],
          ['Processed block', block(runtime?.processedBlock)],
          ['Lag', block(runtime?.lag)],
          ['Latest block seen', runtime?.headAt ? <RelativeTime key="head" at={runtime.headAt} /> : '–'],
          ['Revision', revision],
        ]}
      />
      {status.message && (
        <Text size="sm" mt="md">
          {status.message}
        </Text>
      )}
      <Text size="sm" c="dimmed" mt="md">
        Endpoints: <span className="mono">{endpoints.join(', ')}</span>
      </Text>
    </>
  )
}

/** Simulates a failure or a recovery of the source. */
function SimulateStatus({ fullname }: { fullname: string }) {
  const test = useChange('testCustomSourceStatus')
  const run = (type: 'error' | 'recovered') => test.mutate({ fullname, body: { type } })
  return (
    <Section
      title="Simulate a status change"
      about="Shows how many triggers receive the event. The real status does not change."
    >
      <Group>
        <Button variant="default" loading={test.isPending} onClick={() => run('error')}>
          Simulate failure
        </Button>
        <Button variant="default" loading={test.isPending} onClick={() => run('recovered')}>
          Simulate recovery
        </Button>
      </Group>
      <div aria-live="polite">
        <ErrorNotice error={test.error} />
        {test.data && (
          <Text size="sm" mt="sm">
            {test.data.event.message} Matched triggers: {test.data.matched}. Deliveries: {test.data.delivered}.
          </Text>
        )}
      </div>
    </Section>
  )
}

type Level = 'info' | 'warn' | 'error'
type Entry = Body<'getCustomSourceLogs'>['entries'][number]
const levels: { value: Level; label: string }[] = [
  { value: 'info', label: 'All' },
  { value: 'warn', label: 'Warnings' },
  { value: 'error', label: 'Errors' },
]

/** The log of a source, newest first. A level includes all more severe levels. */
function SourceLogs({ fullname }: { fullname: string }) {
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
