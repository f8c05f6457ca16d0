import { Modal, Select, Stack, TextInput } from '@mantine/core'
import { useChange } from '../../data/changes.ts'
import { type Entity, useEntity } from '../../data/queries.ts'
import { FormFooter } from '../../forms/form-footer.tsx'
import { KeptFormNotice } from '../../forms/kept-form-notice.tsx'
import { LongText } from '../../forms/long-text.tsx'
import { nameFrom, nameIssue } from '../../forms/names.ts'
import { useForm } from '../../forms/use-form.ts'
import { StackNotice } from '../../layouts/stack-notice.tsx'
import { type AddressList, addressTypes } from './types.ts'

type EditorProps = { workspace: string; close: () => void }

/** Creates a list, or reads one again and edits it. */
export function ListEditor({ fullname, ...rest }: EditorProps & { fullname?: string }) {
  return fullname === undefined ? <Editor {...rest} /> : <ReadEditor fullname={fullname} {...rest} />
}

function ReadEditor({ fullname, ...rest }: EditorProps & { fullname: string }) {
  const { data } = useEntity('getAddressList', { fullname })
  return data ? <Editor known={data} {...rest} /> : null
}

function Editor({ workspace, known, close }: EditorProps & { known?: Entity<AddressList> }) {
  const change = useChange('saveAddressList', { notice: known ? 'List saved.' : 'List created.' })
  const list = known?.view
  const form = useForm({
    initial: { title: list?.meta.title ?? '', type: list?.type ?? 'evm', addresses: list?.addresses.join('\n') ?? '' },
    check: ({ title }) => {
      if (title.trim() === '') return [{ path: 'title', message: 'Enter a title' }]
      return list ? [] : nameIssue('title', nameFrom(title))
    },
    version: known?.tag,
    save: async ({ title, type, addresses }, version) => {
      const fullname = list?.fullname ?? `${workspace}.${nameFrom(title)}`
      const body = { fullname, workspace, type, addresses: linesOf(addresses), meta: { title } }
      await change.mutateAsync({ fullname, body, ...(list ? version && { ifMatch: version } : { ifNoneMatch: '*' }) })
      close()
    },
    keep: { name: `address list ${list?.fullname ?? workspace}` },
  })
  return (
    <Modal
      opened
      onClose={close}
      size="lg"
      title={list ? `Edit ${list.meta.title}` : 'Create list'}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <form onSubmit={form.submit} noValidate>
        <Stack gap="sm">
          <KeptFormNotice form={form} />
          {list && (
            <StackNotice workspace={workspace} kind="address-list" name={list.fullname} labels={list.labels} isEdited />
          )}
          <TextInput label="Title" placeholder="Exchanges" data-autofocus {...form.text('title')} />
          <Select
            label="Type"
            data={addressTypes}
            value={form.values.type}
            onChange={(type) => type !== null && form.set('type', type)}
            allowDeselect={false}
          />
          <LongText
            label="Addresses"
            description="One address per line, at most 10,000."
            isCode
            minRows={6}
            maxRows={16}
            value={form.values.addresses}
            onText={(text) => form.set('addresses', text)}
          />
          <FormFooter
            failure={form.failure}
            isSaving={form.isSaving}
            verb={list ? 'Save' : 'Create list'}
            shownElsewhere={(path) => path === 'title' || path === 'meta.title'}
          />
        </Stack>
      </form>
    </Modal>
  )
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}
