import { Text } from '@mantine/core'
import { definitionOf, type Trigger } from '../model/definition.ts'
import { DefinitionDiff, diffOf } from './saving/definition-diff.tsx'
import type { Builder } from './state/builder-state.ts'

/** The difference between the published version and the draft. */
export function ChangesTab({ builder, published }: { builder: Builder; published: Trigger | undefined }) {
  if (!published) return <Text c="dimmed">This trigger was never published. All of it is new.</Text>
  const lines = diffOf(definitionOf(published), builder.state.definition)
  const added = lines.filter(({ kind }) => kind === 'added').length
  const removed = lines.filter(({ kind }) => kind === 'removed').length
  if (added + removed === 0) return <Text c="dimmed">No changes. The draft equals the published version.</Text>
  return (
    <>
      <Text size="sm" c="dimmed" mb="xs">
        Publishing adds {added} and removes {removed} lines.
      </Text>
      <DefinitionDiff lines={lines} />
    </>
  )
}
