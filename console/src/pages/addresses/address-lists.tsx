import { Button, Group, Modal, Select, Stack, TextInput } from '@mantine/core'
import { useMemo, useState } from 'react'
import { ConfirmAction, DangerButton } from '../../components/confirm-action.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { IconAddress, IconPlus } from '../../components/icons.tsx'
import { Page } from '../../components/page.tsx'
import { changedColumn } from '../../components/table/changed-column.tsx'
import { DataTable } from '../../components/table/data-table.tsx'
import type { Column } from '../../components/table/table-model.ts'
import type { Item } from '../../data/api.ts'
import { firstChain } from '../../data/chains.ts'
import { useChange } from '../../data/changes.ts'
import { useApiList } from '../../data/lists.ts'
import { type Entity, useEntity } from '../../data/queries.ts'
import { atLeast, useWorkspace } from '../../data/workspace.ts'
import { addressTypeLabel, addressTypes } from '../../forms/address-types.ts'
import { FormFooter } from '../../forms/form-footer.tsx'
import { KeptFormNotice } from '../../forms/kept-form-notice.tsx'
import { LongText } from '../../forms/long-text.tsx'
import { nameFrom, nameIssue } from '../../forms/names.ts'
import { useForm } from '../../forms/use-form.ts'
import { NamedAddress } from '../../layouts/address/address.tsx'
import { type Sources, useSources } from '../../layouts/address/use-sources.ts'
import { StackNotice } from '../../layouts/stack-notice.tsx'
import { AddressTabs } from './address-tabs.tsx'

type AddressList = Item<'listAddressLists'>

/** The address lists of a workspace. Members read them, developers change them. */
export function AddressListsPage() {
  const { fullname: workspace, level } = useWorkspace()
  const [isAdding, setAdding] = useState(false)
  const list = useApiList('listAddressLists', { query: { workspace } })
  const mayEdit = atLeast(level, 'developer')
  const sources = useSources()
  const columns = useMemo(() => columnsFor(mayEdit, sources), [mayEdit, sources])
  const add = mayEdit && (
    <Button leftSection={<IconPlus />} onClick={() => setAdding(true)}>
      Create list
    </Button>
  )
  return (
    <Page
      title="Address lists"
      about="Lists that the conditions of triggers and subscriptions name. Conditions follow every change of a list."
      actions={list.items.length > 0 && add}
    >
      <AddressTabs />
      <DataTable
        label="Address lists"
        list={{ ...list, isLoading: list.isLoading || sources.isLoading }}
        columns={columns}
        rowKey={({ fullname }) => fullname}
        empty={
          <EmptyState
            icon={IconAddress}
            title="No address lists yet"
            text={
              mayEdit
                ? 'Create a list, such as exchanges or team wallets, and name it in a condition.'
                : 'A developer of this workspace can create lists.'
            }
          >
            {add}
          </EmptyState>
        }
      />
      {isAdding && <ListEditor workspace={workspace} close={() => setAdding(false)} />}
    </Page>
  )
}

function columnsFor(mayEdit: boolean, sources: Sources): Column<AddressList>[] {
  const columns: Column<AddressList>[] = [
    {
      key: 'title',
      header: 'Title',
      value: ({ meta }) => meta.title,
      cell: ({ meta }) => <strong>{meta.title}</strong>,
    },
    { key: 'fullname', header: 'Name', value: ({ fullname }) => fullname },
    { key: 'type', header: 'Type', value: ({ type }) => addressTypeLabel(type) },
    {
      key: 'count',
      header: 'Addresses',
      value: ({ addresses }) => addresses.length,
      cell: (list) => <Addresses list={list} sources={sources} />,
    },
    changedColumn,
  ]
  if (!mayEdit) return columns
  return [
    ...columns,
    { key: 'actions', header: 'Actions', value: () => '', isActions: true, cell: (list) => <Actions list={list} /> },
  ]
}

const shownMax = 3

/** The first addresses and how many others there are. */
function Addresses({ list: { addresses, type }, sources }: { list: AddressList; sources: Sources }) {
  const more = addresses.length - shownMax
  return (
    <div>
      {addresses.slice(0, shownMax).map((address) => (
        <div key={address}>
          {type === 'plain' ? address : <NamedAddress address={address} source={sources.findOfType(type)} />}
        </div>
      ))}
      {addresses.length === 0 && 'None'}
      {more > 0 && `and ${more.toLocaleString('en')} more`}
    </div>
  )
}

function Actions({ list }: { list: AddressList }) {
  const [isEditing, setEditing] = useState(false)
  const remove = useChange('deleteAddressList', { notice: `${list.meta.title} deleted.` })
  return (
    <Group gap={4} wrap="nowrap" justify="flex-end">
      <Button size="xs" variant="default" onClick={() => setEditing(true)} aria-label={`Edit ${list.meta.title}`}>
        Edit
      </Button>
      <ConfirmAction
        title={`Delete ${list.meta.title}?`}
        text="A list that conditions name cannot be deleted."
        verb="Delete list"
        act={() => remove.mutateAsync({ fullname: list.fullname })}
      >
        {(open) => (
          <DangerButton size="xs" onClick={open} aria-label={`Delete ${list.meta.title}`}>
            Delete
          </DangerButton>
        )}
      </ConfirmAction>
      {isEditing && <ListEditor workspace={list.workspace} fullname={list.fullname} close={() => setEditing(false)} />}
    </Group>
  )
}

type EditorProps = { workspace: string; close: () => void }

/** Creates a list, or reads one again and edits it. */
function ListEditor({ fullname, ...rest }: EditorProps & { fullname?: string }) {
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
    initial: {
      title: list?.meta.title ?? '',
      type: list?.type ?? firstChain().address.type,
      addresses: list?.addresses.join('\n') ?? '',
    },
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
            data={addressTypes()}
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
