import { Group, List, Stack, Text } from '@mantine/core'
import { describeErrorBriefly } from '../../components/describe-error.ts'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { LinkText } from '../../components/links.tsx'
import { ExternalLink, Facts, Page, Section } from '../../components/page.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { Status } from '../../components/status.tsx'
import { useApiList } from '../../data/lists.ts'
import { useApiQuery } from '../../data/queries.ts'
import { useCurrentWorkspace } from '../../data/workspace.ts'

const pollMs = 10_000

export function AboutPage() {
  return (
    <Page title="Help" about="Version and health." isNarrow>
      <Health />
      <SourcesSummary />
      <Section title="For developers" about="Everything this console does goes through the same API.">
        <List spacing={4}>
          <List.Item>
            <ExternalLink href="/api/docs">API reference</ExternalLink>
          </List.Item>
          <List.Item>
            <ExternalLink href="/api/openapi.json">OpenAPI 3.1 document</ExternalLink>
          </List.Item>
          <List.Item>
            Prometheus metrics are at <code>/metrics</code>.
          </List.Item>
        </List>
      </Section>
      <Section title="Tocsin">
        <Text>
          A tocsin is an alarm bell. Tocsin sends an alert when something happens on chain. It is free software under
          the Apache License 2.0.
        </Text>
      </Section>
    </Page>
  )
}

function Health() {
  const health = useApiQuery('getHealth', {}, { pollMs })
  const ready = useApiQuery('getReady', {}, { pollMs })
  const checkedAt = new Date(Math.max(ready.dataUpdatedAt, ready.errorUpdatedAt, 1)).toISOString()
  return (
    <Section title="Health" about={`Checked every ${pollMs / 1000} seconds while this page is open.`}>
      <Facts
        facts={[
          ['Version', health.data?.version ?? '…'],
          ['Process', <State key="health" query={health} good="Running" />],
          ['Database', <State key="ready" query={ready} good="Connected" />],
          ['Last check', ready.isPending ? '…' : <RelativeTime key="at" at={checkedAt} />],
        ]}
      />
      {ready.error && (
        <Text size="sm" mt="md">
          {describeErrorBriefly(ready.error)}
        </Text>
      )}
    </Section>
  )
}

function State({ query, good }: { query: { isPending: boolean; error: Error | null }; good: string }) {
  if (query.isPending) return <Status value="pending" label="Checking" />
  return (
    <Group>{query.error ? <Status value="error" label="Not responding" /> : <Status value="ok" label={good} />}</Group>
  )
}

/** The number of sources by status. */
function SourcesSummary() {
  const { items, isLoading, error, reload } = useApiList('listRuntimeSources', {}, { pollMs: 15_000 })
  const { current } = useCurrentWorkspace()
  const byStatus = Map.groupBy(items, ({ status }) => status)
  return (
    <Section title="Sources">
      <Stack gap="xs">
        <ErrorNotice error={error} retry={reload} />
        {!isLoading && !error && items.length === 0 && (
          <Text>No sources yet. To follow a chain, add a source with an endpoint. Timers need no source.</Text>
        )}
        {[...byStatus].map(([status, sources]) => (
          <Status key={status} value={status} label={`${sources.length} ${status}`} />
        ))}
        {current && (
          <LinkText to="/w/$workspace/sources" params={{ workspace: current.fullname }}>
            Show all sources
          </LinkText>
        )}
      </Stack>
    </Section>
  )
}
