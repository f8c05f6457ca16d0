import { Button, Group, Modal, NumberInput, Stack, Text, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useState } from 'react'
import { CopyButton } from '../../components/copy-button.tsx'
import { IconPlus } from '../../components/icons.tsx'
import { useChange } from '../../data/changes.ts'
import { FormFooter } from '../../forms/form-footer.tsx'
import { expiryOf, type Lifetime, LifetimeField } from '../../forms/lifetime-field.tsx'
import { useForm } from '../../forms/use-form.ts'
import { shareLink } from './share-link.ts'

const lifetimes: Lifetime[] = [1, 7, 30, null]

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
  const initial: { maxUsages: number | undefined; days: Lifetime } = { maxUsages: undefined, days: 7 }
  const form = useForm({
    initial,
    save: ({ maxUsages, days }) =>
      create.mutateAsync({
        fullname,
        body: {
          ...(maxUsages !== undefined && { maxUsages }),
          ...(days !== null && { expiresAt: expiryOf(days) }),
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
        <LifetimeField offered={lifetimes} value={form.values.days} onChange={(days) => form.set('days', days)} />
        <FormFooter failure={form.failure} isSaving={form.isSaving} verb="Create link" />
      </Stack>
    </form>
  )
}
