import { Text } from '@mantine/core'
import type { Builder } from './builder-state.ts'
import { definitionOf, type Trigger } from './definition.ts'
import { DefinitionDiff, diffOf } from './definition-diff.tsx'

/** What publishing would change, line by line. */
export function ChangesPart({ builder, published }: { builder: Builder; published: Trigger | undefined }) {
  if (!published) return <Text c="dimmed">This trigger was never published, so all of it is new.</Text>
  const lines = diffOf(definitionOf(published), builder.state.definition)
  const added = lines.filter(({ kind }) => kind === 'added').length
  const removed = lines.filter(({ kind }) => kind === 'removed').length
  if (added + removed === 0) return <Text c="dimmed">No changes: this is the published version.</Text>
  return (
    <>
      <Text size="sm" c="dimmed" mb="xs">
        Publishing adds {added} and removes {removed} lines.
      </Text>
      <DefinitionDiff lines={lines} />
    </>
  )
}
