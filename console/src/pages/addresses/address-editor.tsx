import { Modal, Select, Stack, TextInput } from '@mantine/core'
import { AddressSave } from '@tocsin/contract'
import { useChange } from '../../data/changes.ts'
import { FormFooter } from '../../forms/form-footer.tsx'
import { issuesIn } from '../../forms/issues-in.ts'
import { KeptFormNotice } from '../../forms/kept-form-notice.tsx'
import { useForm } from '../../forms/use-form.ts'
import { type Address, addressTypes } from './types.ts'

/** Adds or edits an address. */
export function AddressEditor({ address, close }: { address?: Address; close: () => void }) {
  const create = useChange('createAddress', { notice: 'Address added.' })
  const save = useChange('saveAddress', { notice: 'Address saved.' })
  const initial: Pick<Address, 'type' | 'address' | 'alias'> = address ?? { type: 'evm', address: '', alias: '' }
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
  const example = addressTypes.find(({ value }) => value === form.values.type)?.example
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
            data={addressTypes}
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
