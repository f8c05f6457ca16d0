import { List, Text } from '@mantine/core'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { Section } from '../../components/page.tsx'
import { useApiList } from '../../data/lists.ts'

/** The triggers of a project by title. */
export function PublicTriggers({ project }: { project: string }) {
  const { items, error, isLoading, reload } = useApiList('listTriggers', { query: { project } })
  return (
    <Section title="Triggers">
      <ErrorNotice error={error} retry={reload} />
      {!isLoading && !error && items.length === 0 && <Text>This project has no triggers yet.</Text>}
      <List spacing={6}>
        {items.map(({ fullname, meta }) => (
          <List.Item key={fullname}>
            <strong>{meta.title}</strong>
            {meta.description ? ` – ${meta.description}` : ''}
          </List.Item>
        ))}
      </List>
    </Section>
  )
}
