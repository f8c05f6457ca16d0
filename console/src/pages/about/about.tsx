import { Group, List, Text } from '@mantine/core'
import { tellShortly } from '../../components/error-sentence.ts'
import { Facts, Outside, Page, Section } from '../../components/page.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { Status } from '../../components/status.tsx'
import { useApiQuery } from '../../data/queries.ts'
import { NetworksBrief } from './networks-brief.tsx'

const everyMs = 10_000

export function AboutPage() {
  return (
    <Page title="About" about="Version and health." isNarrow>
      <Health />
      <NetworksBrief />
      <Section title="For developers" about="Everything this console does goes through the same API.">
        <List spacing={4}>
          <List.Item>
            <Outside href="/api/docs">API reference</Outside>
          </List.Item>
          <List.Item>
            <Outside href="/api/openapi.json">OpenAPI 3.1 document</Outside>
          </List.Item>
          <List.Item>
            Metrics in Prometheus’ format are at <code>/metrics</code>.
          </List.Item>
        </List>
      </Section>
      <Section title="Tocsin">
        <Text>
          A tocsin is a bell that is rung to give alarm. This one rings when something happens on chain. It is free
          software under the Apache License 2.0.
        </Text>
      </Section>
    </Page>
  )
}

function Health() {
  const health = useApiQuery('getHealth', {}, { everyMs })
  const ready = useApiQuery('getReady', {}, { everyMs })
  const checkedAt = new Date(Math.max(ready.dataUpdatedAt, ready.errorUpdatedAt, 1)).toISOString()
  return (
    <Section title="Health" about={`Checked every ${everyMs / 1000} seconds while this page is open.`}>
      <Facts
        facts={[
          ['Version', health.data?.version ?? '…'],
          ['Process', <State key="health" query={health} good="running" />],
          ['Database', <State key="ready" query={ready} good="connected" />],
          ['Last check', ready.isPending ? '…' : <RelativeTime key="at" at={checkedAt} />],
        ]}
      />
      {ready.error && (
        <Text size="sm" mt="md">
          {tellShortly(ready.error)}
        </Text>
      )}
    </Section>
  )
}

function State({ query, good }: { query: { isPending: boolean; error: Error | null }; good: string }) {
  if (query.isPending) return <Status value="pending" label="checking" />
  return (
    <Group>{query.error ? <Status value="error" label="not answering" /> : <Status value="ok" label={good} />}</Group>
  )
}
