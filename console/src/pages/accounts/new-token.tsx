import { Button, Modal, Select, Stack, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useState } from 'react'
import { IconPlus } from '../../components/icons.tsx'
import { SecretOnce } from '../../components/secret-once.tsx'
import { useChange } from '../../data/changes.ts'
import { FormFooter } from '../../forms/form-footer.tsx'
import { useForm } from '../../forms/use-form.ts'

const lifetimes = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: '1 year' },
  { value: '', label: 'Never' },
]
const dayMs = 86_400_000

export function NewToken() {
  const [isOpen, { open, close }] = useDisclosure(false)
  const [secret, setSecret] = useState<string>()
  const leave = () => {
    setSecret(undefined)
    close()
  }
  return (
    <>
      <Button leftSection={<IconPlus />} onClick={open}>
        Create token
      </Button>
      <Modal opened={isOpen} onClose={leave} title="New access token" closeButtonProps={{ 'aria-label': 'Close' }}>
        {secret === undefined ? (
          <TokenForm done={setSecret} />
        ) : (
          <Stack>
            <SecretOnce secret={secret} what="token" />
            <Button onClick={leave}>Done</Button>
          </Stack>
        )}
      </Modal>
    </>
  )
}

function TokenForm({ done }: { done: (secret: string) => void }) {
  const create = useChange('createToken', { after: ({ token }) => done(token) })
  const form = useForm({
    initial: { name: '', days: '90' },
    check: ({ name }) => (name.trim() === '' ? [{ path: 'name', message: 'Enter a name' }] : []),
    save: ({ name, days }) =>
      create.mutateAsync({
        body: { name, expiresAt: days === '' ? null : new Date(Date.now() + Number(days) * dayMs).toISOString() },
      }),
  })
  return (
    <form onSubmit={form.submit} noValidate>
      <Stack gap="sm">
        <TextInput label="Name" placeholder="deploy pipeline" data-autofocus {...form.text('name')} />
        <Select
          label="Expires after"
          data={lifetimes}
          value={form.values.days}
          onChange={(value) => form.set('days', value ?? '')}
          allowDeselect={false}
        />
        <FormFooter
          failure={form.failure}
          isSaving={form.isSaving}
          verb="Create token"
          shownElsewhere={(path) => path === 'name'}
        />
      </Stack>
    </form>
  )
}
