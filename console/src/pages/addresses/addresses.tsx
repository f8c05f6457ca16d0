import { Button, Group, Modal, Select, Stack, TextInput } from '@mantine/core'
import { AddressSave } from '@tocsin/contract'
import { useMemo, useState } from 'react'
import { ConfirmAction, DangerButton } from '../../components/confirm-action.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { IconAddress, IconPlus } from '../../components/icons.tsx'
import { Page } from '../../components/page.tsx'
import { changedColumn } from '../../components/table/changed-column.tsx'
import { DataTable } from '../../components/table/data-table.tsx'
import type { Column, Facet } from '../../components/table/table-model.ts'
import type { Item } from '../../data/api.ts'
import { firstChain } from '../../data/chains.ts'
import { useChange } from '../../data/changes.ts'
import { type List, useApiList } from '../../data/lists.ts'
import { atLeast, useCurrentWorkspace } from '../../data/workspace.ts'
import { addressTypeLabel, addressTypes } from '../../forms/address-types.ts'
import { FormFooter } from '../../forms/form-footer.tsx'
import { issuesIn } from '../../forms/issues-in.ts'
import { KeptFormNotice } from '../../forms/kept-form-notice.tsx'
import { useForm } from '../../forms/use-form.ts'
import { ExplorerAnchor } from '../../layouts/address/explorer-anchor.tsx'
import { type Sources, useSources } from '../../layouts/address/use-sources.ts'
import { AddressTabs } from './address-tabs.tsx'

/** An entry of the account's own book, or of the book of the workspace. */
type Address = Item<'listAddresses'> & Partial<Pick<Item<'listWorkspaceAddresses'>, 'workspace' | 'changedBy'>>

/** Hex addresses are equal in any case. A book refuses the other spellings of an address itself. */
const keyOf = ({ type, address }: Address) => `${type} ${address.startsWith('0x') ? address.toLowerCase() : address}`
const bookOf = ({ workspace }: Address) => (workspace === undefined ? 'Yours' : 'Workspace')

const makeFacets = (): Facet<Address>[] => [
  { label: 'Type', value: ({ type }) => type, options: addressTypes() },
  { label: 'Book', value: bookOf, options: ['Yours', 'Workspace'].map((value) => ({ value, label: value })) },
]

const columnsFor = ({ findOfType }: Sources, sharing: Sharing): Column<Address>[] => [
  { key: 'alias', header: 'Alias', value: ({ alias }) => alias, cell: ({ alias }) => <strong>{alias}</strong> },
  { key: 'type', header: 'Type', value: ({ type }) => addressTypeLabel(type) },
  {
    key: 'address',
    header: 'Address',
    value: ({ address }) => address,
    cell: ({ address, alias, type }) => (
      <Group gap={4} wrap="nowrap">
        <span className="mono">{address}</span>
        <CopyButton value={address} what={`address of ${alias}`} />
        <ExplorerAnchor address={address} name={alias} source={findOfType(type)} size={28} />
      </Group>
    ),
  },
  {
    key: 'book',
    header: 'Book',
    value: bookOf,
    cell: (address) => (
      <span>
        {bookOf(address)}
        {address.changedBy && <small>, by {address.changedBy.name}</small>}
      </span>
    ),
  },
  changedColumn,
  {
    key: 'actions',
    header: 'Actions',
    value: () => '',
    isActions: true,
    cell: (address) => <Actions address={address} sharing={sharing} />,
  },
]

/** The workspace whose book is shown beside the account's own. */
type Sharing = { workspace: string | undefined; mayShare: boolean; shared: ReadonlySet<string> }

export function AddressesPage() {
  const [isAdding, setAdding] = useState(false)
  const { current } = useCurrentWorkspace()
  const workspace = current?.fullname
  const mayShare = atLeast(current?.level, 'developer')
  const own = useApiList('listAddresses', {})
  const shared = useApiList(
    'listWorkspaceAddresses',
    { workspace: workspace ?? '' },
    { enabled: current !== undefined },
  )
  const sources = useSources()
  const items = useMemo((): Address[] => [...own.items, ...shared.items], [own.items, shared.items])
  const list: List<Address> = {
    items,
    isLoading: own.isLoading || shared.isLoading || sources.isLoading,
    error: own.error ?? shared.error,
    hasMore: own.hasMore || shared.hasMore,
    isLoadingMore: own.isLoadingMore || shared.isLoadingMore,
    loadMore() {
      if (own.hasMore) own.loadMore()
      if (shared.hasMore) shared.loadMore()
    },
    reload() {
      own.reload()
      shared.reload()
    },
  }
  const columns = useMemo(() => {
    const shared = new Set(items.filter((one) => one.workspace !== undefined).map(keyOf))
    return columnsFor(sources, { workspace, mayShare, shared })
  }, [sources, items, workspace, mayShare])
  const facets = useMemo(makeFacets, [])
  const add = (
    <Button leftSection={<IconPlus />} onClick={() => setAdding(true)}>
      Add address
    </Button>
  )
  return (
    <Page
      title="Address book"
      about="Aliases for addresses you know, and those that your workspace shares. Alerts show the alias instead of the address; your own comes first."
      actions={add}
    >
      <AddressTabs />
      <DataTable
        label="Addresses"
        list={list}
        columns={columns}
        facets={facets}
        rowKey={({ id }) => id}
        empty={
          <EmptyState
            icon={IconAddress}
            title="Your address book is empty"
            text="Add your wallets, exchanges and counterparties. Alerts then show their aliases."
          >
            {add}
          </EmptyState>
        }
      />
      {isAdding && <AddressEditor close={() => setAdding(false)} />}
    </Page>
  )
}

function Actions({ address, sharing }: { address: Address; sharing: Sharing }) {
  const [isEditing, setEditing] = useState(false)
  const { id, alias, workspace } = address
  const remove = useChange('deleteAddress', { notice: `${alias} removed.` })
  const removeShared = useChange('deleteWorkspaceAddress', { notice: `${alias} removed.` })
  if (workspace !== undefined && !sharing.mayShare) return null
  return (
    <Group gap={4} wrap="nowrap" justify="flex-end">
      {workspace === undefined && sharing.mayShare && !sharing.shared.has(keyOf(address)) && (
        <ShareButton address={address} workspace={sharing.workspace ?? ''} />
      )}
      <Button size="xs" variant="default" onClick={() => setEditing(true)} aria-label={`Edit ${address.alias}`}>
        Edit
      </Button>
      <ConfirmAction
        title={`Remove ${address.alias}?`}
        text="Alerts will show the address again."
        verb="Remove address"
        act={() => (workspace === undefined ? remove.mutateAsync({ id }) : removeShared.mutateAsync({ workspace, id }))}
      >
        {(open) => (
          <DangerButton size="xs" onClick={open} aria-label={`Remove ${address.alias}`}>
            Remove
          </DangerButton>
        )}
      </ConfirmAction>
      {isEditing && <AddressEditor address={address} close={() => setEditing(false)} />}
    </Group>
  )
}

/** The name stays in the account's own book too. */
function ShareButton({ address: { type, address, alias }, workspace }: { address: Address; workspace: string }) {
  const share = useChange('createWorkspaceAddress', { notice: `${alias} shared with ${workspace}.` })
  return (
    <Button
      size="xs"
      variant="default"
      loading={share.isPending}
      onClick={() => share.mutate({ workspace, body: { type, address, alias } })}
      aria-label={`Share ${alias}`}
    >
      Share
    </Button>
  )
}

/** Adds or edits an address. */
function AddressEditor({ address, close }: { address?: Address; close: () => void }) {
  const create = useChange('createAddress', { notice: 'Address added.' })
  const save = useChange('saveAddress', { notice: 'Address saved.' })
  const saveShared = useChange('saveWorkspaceAddress', { notice: 'Address saved.' })
  const initial: Pick<Address, 'type' | 'address' | 'alias'> = address ?? {
    type: firstChain().address.type,
    address: '',
    alias: '',
  }
  const form = useForm({
    initial: { type: initial.type, address: initial.address, alias: initial.alias },
    check: (values) => [
      ...issuesIn(AddressSave, values),
      ...(values.address.trim() === '' ? [{ path: 'address', message: 'Enter the address' }] : []),
    ],
    save: async (body) => {
      const { id, workspace } = address ?? {}
      if (id === undefined) await create.mutateAsync({ body })
      else if (workspace === undefined) await save.mutateAsync({ id, body })
      else await saveShared.mutateAsync({ workspace, id, body })
      close()
    },
    keep: { name: `address ${address?.id ?? ''}` },
  })
  const example = addressTypes().find(({ value }) => value === form.values.type)?.example
  return (
    <Modal
      opened
      onClose={close}
      title={address ? `Edit ${address.alias}` : 'Add address'}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <form onSubmit={form.submit} noValidate>
        <Stack gap="sm">
          <KeptFormNotice form={form} />
          <Select
            label="Type"
            data={addressTypes()}
            value={form.values.type}
            onChange={(type) => type !== null && form.set('type', type)}
            allowDeselect={false}
          />
          <TextInput label="Address" placeholder={example} spellCheck={false} {...form.text('address')} />
          <TextInput label="Alias" placeholder="Treasury" data-autofocus {...form.text('alias')} />
          <FormFooter
            failure={form.failure}
            isSaving={form.isSaving}
            verb={address ? 'Save' : 'Add address'}
            shownElsewhere={(path) => path in form.values}
          />
        </Stack>
      </form>
    </Modal>
  )
}
