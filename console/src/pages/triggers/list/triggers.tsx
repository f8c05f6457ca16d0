import { Group, Text } from '@mantine/core'
import { LinkText } from '../../../components/links.tsx'
import { Page, Section } from '../../../components/page.tsx'
import { useApiList } from '../../../data/lists.ts'
import { atLeast, useWorkspace } from '../../../data/workspace.ts'
import { localDrafts } from '../model/local-drafts.ts'
import { NewTriggerButton, TriggerTable } from './trigger-table.tsx'

export function TriggersPage() {
  const { fullname: workspace, level } = useWorkspace()
  const mayEdit = atLeast(level, 'developer')
  return (
    <Page
      title="Triggers"
      about="A published trigger runs while it has subscribers."
      actions={mayEdit && <NewTriggerButton workspace={workspace} />}
    >
      {mayEdit && <UnpublishedDrafts workspace={workspace} />}
      <TriggerTable workspace={workspace} mayEdit={mayEdit} />
    </Page>
  )
}

/** Triggers that were never published. The API does not list them, so this browser remembers them. */
function UnpublishedDrafts({ workspace }: { workspace: string }) {
  const { items, isLoading } = useApiList('listTriggers', { query: { workspace } })
  const published = new Set(items.map(({ fullname }) => fullname))
  const drafts = isLoading ? [] : localDrafts(workspace).filter((fullname) => !published.has(fullname))
  if (drafts.length === 0) return null
  return (
    <Section title="Drafts that were never published">
      <Group gap="md">
        {drafts.map((fullname) => (
          <LinkText key={fullname} to="/w/$workspace/triggers/$trigger/edit" params={{ workspace, trigger: fullname }}>
            {fullname}
          </LinkText>
        ))}
      </Group>
      <Text size="sm" c="dimmed" mt="xs">
        When you publish a draft, it appears in the list below.
      </Text>
    </Section>
  )
}
