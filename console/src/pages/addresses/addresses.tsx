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
import { useApiList } from '../../data/lists.ts'
import { addressTypeLabel, addressTypes } from '../../forms/address-types.ts'
import { FormFooter } from '../../forms/form-footer.tsx'
import { issuesIn } from '../../forms/issues-in.ts'
import { KeptFormNotice } from '../../forms/kept-form-notice.tsx'
import { useForm } from '../../forms/use-form.ts'
import { ExplorerAnchor } from '../../layouts/address/explorer-anchor.tsx'
import { type Sources, useSources } from '../../layouts/address/use-sources.ts'
import { AddressTabs } from './address-tabs.tsx'

type Address = Item<'listAddresses'>

const makeFacets = (): Facet<Address>[] => [{ label: 'Type', value: ({ type }) => type, options: addressTypes() }]

const columnsFor = ({ findOfType }: Sources): Column<Address>[] => [
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
  changedColumn,
  {
    key: 'actions',
    header: 'Actions',
    value: () => '',
    isActions: true,
    cell: (address) => <Actions address={address} />,
  },
]

export function AddressesPage() {
  const [isAdding, setAdding] = useState(false)
  const list = useApiList('listAddresses', {})
  const sources = useSources()
  const columns = useMemo(() => columnsFor(sources), [sources])
  const facets = useMemo(makeFacets, [])
  const add = (
    <Button leftSection={<IconPlus />} onClick={() => setAdding(true)}>
      Add address
    </Button>
  )
  return (
    <Page
      title="Address book"
      about="Aliases for addresses you know. Alerts show the alias instead of the address."
      actions={add}
    >
      <AddressTabs />
      <DataTable
        label="Addresses"
        list={{ ...list, isLoading: list.isLoading || sources.isLoading }}
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

function Actions({ address }: { address: Address }) {
  const [isEditing, setEditing] = useState(false)
  const remove = useChange('deleteAddress', { notice: `${address.alias} removed.` })
  return (
    <Group gap={4} wrap="nowrap" justify="flex-end">
      <Button size="xs" variant="default" onClick={() => setEditing(true)} aria-label={`Edit ${address.alias}`}>
        Edit
      </Button>
      <ConfirmAction
        title={`Remove ${address.alias}?`}
        text="Alerts will show the address again."
        verb="Remove address"
        act={() => remove.mutateAsync({ id: address.id })}
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

/** Adds or edits an address. */
function AddressEditor({ address, close }: { address?: Address; close: () => void }) {
  const create = useChange('createAddress', { notice: 'Address added.' })
  const save = useChange('saveAddress', { notice: 'Address saved.' })
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
      await (address ? save.mutateAsync({ id: address.id, body }) : create.mutateAsync({ body }))
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
