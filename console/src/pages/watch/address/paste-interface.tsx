import { Button, Stack, Textarea } from '@mantine/core'
import { Details } from '../../../components/details.tsx'
import { ErrorNotice } from '../../../components/error-notice.tsx'
import { useForm } from '../../../forms/use-form.ts'

type PasteInterfaceProps = {
  summary: string
  label: string
  description: string
  /** The name that the service gives the text in its issues. */
  field: 'abi' | 'idl'
  read: (text: string) => Promise<void>
}

/** A text field for an interface that nobody published. */
export function PasteInterface({ summary, label, description, field, read }: PasteInterfaceProps) {
  const form = useForm({
    initial: { text: '' },
    check: ({ text }) => (text.trim() === '' ? [{ path: 'text', message: 'Paste the interface first.' }] : []),
    save: ({ text }) => read(text),
  })
  return (
    <Details summary={summary}>
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
