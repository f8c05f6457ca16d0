import { Text } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { LinkText } from '../../components/link-text.tsx'
import { Page, Section } from '../../components/page.tsx'
import { PageFailure } from '../../components/page-failure.tsx'
import { PageLoading } from '../../components/page-loading.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import type { Body } from '../../data/api.ts'
import { useApiQuery } from '../../data/queries.ts'
import { useWorkspace } from '../../data/use-workspace.ts'
import { atLeast } from '../../data/workspace.ts'
import { DriftSection } from './drift-section.tsx'
import { EntityTable } from './entity-table.tsx'

/** A stack: which definitions it manages, and what was changed in them since the last apply. */
export function StackPage() {
  const { workspace, stack } = useParams({ from: '/shell/w/$workspace/stacks/$stack' })
  const { level } = useWorkspace()
  const contents = useApiQuery('getStack', { fullname: workspace, stack })
  // A plan without entities shows only the drift. The notice on the pages of the entities asks the same.
  const plan = useApiQuery('planStack', { fullname: workspace, body: { stack, entities: [] } })
  const error = contents.error ?? plan.error
  if (!contents.data || !plan.data) {
    const retry = () => void Promise.all([contents.refetch(), plan.refetch()])
    return error ? <PageFailure title={stack} error={error} retry={retry} /> : <PageLoading />
  }
  const { drift } = plan.data
  return (
    <Page
      title={stack}
      about={<About contents={contents.data} />}
      breadcrumb={
        <LinkText to="/w/$workspace/stacks" params={{ workspace }}>
          Stacks
        </LinkText>
      }
    >
      {atLeast(level, 'developer') ? (
        <DriftSection workspace={workspace} drift={drift} entities={contents.data.entities} />
      ) : (
        <Section title="Drift">
          <Text c="dimmed">Developers of this workspace see what was changed since the last apply.</Text>
        </Section>
      )}
      <EntityTable workspace={workspace} entities={contents.data.entities} drift={drift} />
    </Page>
  )
}

function About({ contents: { entitiesCount, appliedAt } }: { contents: Body<'getStack'> }) {
  const count = `${entitiesCount} ${entitiesCount === 1 ? 'definition' : 'definitions'}`
  if (appliedAt === null) return `${count}, never applied`
  return (
    <>
      {count}, last applied <RelativeTime at={appliedAt} />
    </>
  )
}
