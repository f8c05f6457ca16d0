import { Button, Group, TextInput } from '@mantine/core'
import { isTriggerName } from '@tocsin/contract'
import { ErrorNotice } from '../../../components/error-notice.tsx'
import { useForm } from '../../../forms/use-form.ts'
import type { Definition } from '../model/definition.ts'
import { useNewDraft } from './use-new-draft.ts'

/** Saves the definition as a new draft under another name and opens it. */
export function SaveAsNew({ definition }: { definition: Definition }) {
  const { project } = definition
  const start = useNewDraft('Draft created.')
  const form = useForm({
    initial: { name: `${definition.name}-copy` },
    check: ({ name }) =>
      isTriggerName(name) ? [] : [{ path: 'name', message: 'Use letters, digits, hyphens and underscores.' }],
    save: ({ name }) => start({ ...definition, name, fullname: `${project}.${name}` }),
  })
  return (
    <form onSubmit={form.submit} noValidate>
      <Group align="flex-end" gap="xs">
        <TextInput
          flex="1 1 220px"
          label="New name"
          description={`Full name: ${project}.${form.values.name || '…'}`}
          spellCheck={false}
          data-autofocus
          {...form.text('name')}
        />
        <Button type="submit" loading={form.isSaving}>
          Create draft
        </Button>
      </Group>
      <ErrorNotice error={form.failure} shownElsewhere={(path) => path === 'name'} />
    </form>
  )
}
