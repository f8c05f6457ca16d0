import { Stack, Text } from '@mantine/core'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { LinkText } from '../../components/link-text.tsx'
import { Section } from '../../components/page.tsx'
import { Status } from '../../components/status.tsx'
import { useApiList } from '../../data/lists.ts'
import { useCurrentWorkspace } from '../../data/workspace.ts'

/** How the sources stand, counted by state. */
export function NetworksBrief() {
  const { items, isLoading, error, reload } = useApiList('listRuntimeSources', {}, { everyMs: 15_000 })
  const { current } = useCurrentWorkspace()
  const states = Map.groupBy(items, ({ status }) => status)
  return (
    <Section title="Sources">
      <Stack gap="xs">
        <ErrorNotice error={error} retry={reload} />
        {!isLoading && !error && items.length === 0 && (
          <Text>No source is followed yet. Timers work without one; a chain needs an endpoint.</Text>
        )}
        {[...states].map(([status, sources]) => (
          <Status key={status} value={status} label={`${sources.length} ${status}`} />
        ))}
        {current && (
          <LinkText to="/w/$workspace/sources" params={{ workspace: current.fullname }}>
            See all sources
          </LinkText>
        )}
      </Stack>
    </Section>
  )
}
