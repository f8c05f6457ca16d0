import { Stack, Text } from '@mantine/core'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { LinkText } from '../../components/link-text.tsx'
import { Section } from '../../components/page.tsx'
import { Status } from '../../components/status.tsx'
import { useApiList } from '../../data/lists.ts'
import { useCurrentWorkspace } from '../../data/workspace.ts'

/** The number of sources by status. */
export function SourcesSummary() {
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
