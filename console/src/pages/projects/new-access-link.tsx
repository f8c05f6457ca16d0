import { Button, Group, Modal, NumberInput, Select, Stack, Text, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useState } from 'react'
import { CopyButton } from '../../components/copy-button.tsx'
import { IconPlus } from '../../components/icons.tsx'
import { useChange } from '../../data/changes.ts'
import { FormFooter } from '../../forms/form-footer.tsx'
import { useForm } from '../../forms/use-form.ts'
import { shareLink } from './share-link.ts'

const lifetimes = [
  { value: '1', label: '1 day' },
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '', label: 'Never' },
]
const dayMs = 86_400_000

export function NewAccessLink({ fullname }: { fullname: string }) {
  const [isOpen, { open, close }] = useDisclosure(false)
  const [token, setToken] = useState<string>()
  const leave = () => {
    setToken(undefined)
    close()
  }
  return (
    <>
      <Button leftSection={<IconPlus />} onClick={open}>
        Create access link
      </Button>
      <Modal opened={isOpen} onClose={leave} title="New access link" closeButtonProps={{ 'aria-label': 'Close' }}>
        {token === undefined ? (
          <LinkForm fullname={fullname} done={setToken} />
        ) : (
          <CreatedLink link={shareLink(token)} leave={leave} />
        )}
      </Modal>
    </>
  )
}

function CreatedLink({ link, leave }: { link: string; leave: () => void }) {
  return (
    <Stack>
      <Text size="sm">Send the link to the people who should see the project. Anyone with this link can open it.</Text>
      <TextInput
        label="Access link"
        value={link}
        readOnly
        onFocus={(event) => event.currentTarget.select()}
        data-autofocus
      />
      <Group>
        <CopyButton value={link} what="link" isWide />
        <Button onClick={leave}>Done</Button>
      </Group>
    </Stack>
  )
}

function LinkForm({ fullname, done }: { fullname: string; done: (token: string) => void }) {
  const create = useChange('createAccessLink', { after: ({ token }) => done(token) })
  const form = useForm({
    initial: { maxUsages: undefined as number | undefined, days: '7' },
    save: ({ maxUsages, days }) =>
      create.mutateAsync({
        fullname,
        body: {
          ...(maxUsages !== undefined && { maxUsages }),
          ...(days !== '' && { expiresAt: new Date(Date.now() + Number(days) * dayMs).toISOString() }),
        },
      }),
  })
  return (
    <form onSubmit={form.submit} noValidate>
      <Stack gap="sm">
        <NumberInput
          label="Maximum number of uses"
          placeholder="No limit"
          min={1}
          allowDecimal={false}
          value={form.values.maxUsages ?? ''}
          onChange={(value) => form.set('maxUsages', typeof value === 'number' ? value : undefined)}
          error={form.errorOf('maxUsages')}
        />
        <Select
          label="Expires after"
          data={lifetimes}
          value={form.values.days}
          onChange={(value) => form.set('days', value ?? '')}
          allowDeselect={false}
        />
        <FormFooter failure={form.failure} isSaving={form.isSaving} verb="Create link" />
      </Stack>
    </form>
  )
}
