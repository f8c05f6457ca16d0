import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { ErrorNotice } from '../../../../components/error-notice.tsx'
import { RelativeTime } from '../../../../components/relative-time.tsx'
import { SaveAsNew } from '../../create/save-as-new.tsx'
import { type Definition, definitionOf } from '../../model/definition.ts'
import type { Conflict, Saving } from '../state/use-saving.ts'
import { DefinitionDiff, diffOf } from './definition-diff.tsx'

/** Shown when the trigger was changed elsewhere. Nothing is saved until the user decides. */
export function ConflictDialog({ saving, definition }: { saving: Saving; definition: Definition }) {
  const { conflict, closeConflict } = saving
  return (
    <Modal
      opened={conflict !== undefined}
      onClose={closeConflict}
      title="This trigger was changed elsewhere"
      size="xl"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {conflict && (
        <Choice key={conflict.theirs.updatedAt} saving={saving} conflict={conflict} definition={definition} />
      )}
    </Modal>
  )
}

type ChoiceProps = { saving: Saving; conflict: Conflict; definition: Definition }

function Choice({ saving, conflict: { verb, theirs }, definition }: ChoiceProps) {
  const [shown, setShown] = useState<'compare' | 'new'>()
  const [error, setError] = useState<unknown>()
  const overwrite = () => saving.overwrite(verb).catch(setError)
  return (
    <Stack gap="md">
      <Text size="sm">
        Another tab or another person saved this trigger <RelativeTime at={theirs.draft.savedAt ?? theirs.updatedAt} />.
        Your version is not saved.
      </Text>
      {shown === 'compare' && <Compare theirs={definitionOf(theirs)} mine={definition} />}
      {shown === 'new' && <SaveAsNew definition={definition} />}
      <ErrorNotice error={error} />
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={saving.closeConflict}>
          Cancel
        </Button>
        <Button variant="default" onClick={() => setShown('compare')}>
          Compare
        </Button>
        <Button variant="default" onClick={() => setShown('new')}>
          Save as new
        </Button>
        <Button color="red.9" loading={saving.busy !== undefined} onClick={() => void overwrite()}>
          Overwrite
        </Button>
      </Group>
    </Stack>
  )
}

function Compare({ theirs, mine }: { theirs: Definition; mine: Definition }) {
  const lines = diffOf(theirs, mine)
  if (lines.every(({ kind }) => kind === 'same')) return <Text size="sm">The two versions are the same.</Text>
  return (
    <div>
      <Text size="sm" c="dimmed" mb="xs">
        − only in the other version, + only in your version.
      </Text>
      <DefinitionDiff lines={lines} />
    </div>
  )
}
