import { Button, Group, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { isTriggerName } from '@tocsin/contract'
import { useChange } from '../../data/changes.ts'
import { useForm } from '../../forms/use-form.ts'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { rememberDraft } from './begun-drafts.ts'
import type { Definition } from './definition.ts'
import { readLatest } from './save-trigger.ts'

/** Saves the definition as a draft under another name and goes on there. */
export function KeepAsNew({ definition, verb = 'Save as new' }: { definition: Definition; verb?: string }) {
  const { project, workspace } = definition
  const navigate = useNavigate()
  const save = useChange('saveTriggerDraft', { said: 'Saved as a new draft.' })
  const form = useForm({
    initial: { name: `${definition.name}-copy` },
    check: ({ name }) =>
      isTriggerName(name) ? [] : [{ path: 'name', message: 'Use letters, digits, hyphens and underscores.' }],
    save: async ({ name }) => {
      const fullname = `${project}.${name}`
      const { draft } = await readLatest(fullname)
      if (draft) throw new Error(`${fullname} exists already. Choose another name.`)
      await save.mutateAsync({ fullname, body: { ...definition, name, fullname } })
      rememberDraft(fullname)
      await navigate({
        to: '/w/$workspace/triggers/$trigger/edit',
        params: { workspace, trigger: fullname },
        ignoreBlocker: true,
      })
    },
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
          {verb}
        </Button>
      </Group>
      <ErrorNotice error={form.failure} />
    </form>
  )
}
