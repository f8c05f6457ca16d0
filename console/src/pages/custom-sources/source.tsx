import { Text } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { LinkText } from '../../components/link-text.tsx'
import { Facts, Page, Section } from '../../components/page.tsx'
import { PageLoading } from '../../components/page-loading.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { Status } from '../../components/status.tsx'
import { useApiQuery } from '../../data/queries.ts'
import { useWorkspace } from '../../data/use-workspace.ts'
import { atLeast } from '../../data/workspace.ts'
import { StackNotice } from '../../layouts/stack-notice.tsx'
import { kindLabel, type Source } from './kinds.ts'
import { LagChart } from './lag-chart.tsx'
import { SimulateStatus } from './simulate-status.tsx'
import { SourceActions } from './source-actions.tsx'
import { SourceLogs } from './source-logs.tsx'

const pollMs = 3_000

export function SourcePage() {
  const { source: fullname } = useParams({ from: '/shell/w/$workspace/sources/$source' })
  const { fullname: workspace, level } = useWorkspace()
  const { data: source, error, refetch } = useApiQuery('getCustomSource', { fullname }, { pollMs })
  if (!source) return error ? <ErrorNotice error={error} retry={() => void refetch()} /> : <PageLoading />
  const mayRun = atLeast(level, 'developer')
  return (
    <Page
      title={source.meta.title}
      about={source.meta.description}
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
      <Section
        title="Lag"
        about={`Blocks between the latest block of the chain and the processed block, updated every ${pollMs / 1000} seconds.`}
      >
        <LagChart source={source} />
      </Section>
      {mayRun && <SourceLogs fullname={fullname} />}
      {mayRun && <SimulateStatus fullname={fullname} />}
    </Page>
  )
}

function SourceStatus({ source }: { source: Source }) {
  const { status, runtime, kind, endpoints, revision } = source
  const block = (number: number | undefined) => (number === undefined ? '–' : number.toLocaleString('en'))
  return (
    <>
      <Facts
        facts={[
          ['Status', <Status key="status" value={status.status} />],
          ['Status changed', <RelativeTime key="since" at={status.updatedAt} />],
          ['Kind', kindLabel(kind)],
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
