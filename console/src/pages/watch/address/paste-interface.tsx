import { Button, Stack, Textarea } from '@mantine/core'
import { Details } from '../../../components/details.tsx'
import { ErrorNotice } from '../../../components/error-notice.tsx'
import { api } from '../../../data/api.ts'
import { useWorkspace } from '../../../data/workspace.ts'
import { useForm } from '../../../forms/use-form.ts'
import { findProject } from '../model/go-live.ts'

type PasteInterfaceProps = {
  /** Some of the interface is known already. */
  isKnown: boolean
  label: string
  description: string
  /** The name that the service gives the text in its issues. */
  field: 'abi' | 'idl'
  /** The service reads the text for a project of the workspace. */
  read: (text: string, project: string) => Promise<void>
}

/** A text field for an interface that nobody published. */
export function PasteInterface({ isKnown, label, description, field, read }: PasteInterfaceProps) {
  const { fullname: workspace } = useWorkspace()
  const form = useForm({
    initial: { text: '' },
    check: ({ text }) => (text.trim() === '' ? [{ path: 'text', message: 'Paste the interface first.' }] : []),
    save: async ({ text }) => read(text, await findProject(api, workspace)),
  })
  return (
    <Details summary={isKnown ? 'Something is missing? Paste the interface' : 'Paste the interface'}>
      <form onSubmit={form.submit} noValidate>
        <Stack gap="sm" mt="sm">
          <Textarea
            label={label}
            description={description}
            autosize
            minRows={3}
            maxRows={12}
            {...form.text('text')}
            error={form.errorOf('text') ?? form.errorOf(field)}
          />
          <ErrorNotice error={form.failure} shownElsewhere={(path) => path === field} />
          <div>
            <Button type="submit" variant="default" loading={form.isSaving}>
              Read it
            </Button>
          </div>
        </Stack>
      </form>
    </Details>
  )
}
