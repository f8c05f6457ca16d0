import { Button, type ButtonProps, Modal, PasswordInput, Stack, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { useChange } from '../../data/changes.ts'
import { FormFooter } from '../../forms/form-footer.tsx'
import { useForm } from '../../forms/use-form.ts'

type SecretButtonProps = Pick<ButtonProps, 'size' | 'variant'> & {
  fullname: string
  /** The secret to replace. Without it, the form creates a new one. */
  name?: string
  children: ReactNode
}

/** Opens the form that sets a secret. */
export function SecretButton({ fullname, name, children, ...buttonProps }: SecretButtonProps) {
  const [isOpen, { open, close }] = useDisclosure(false)
  const title = name === undefined ? 'Add secret' : `Replace secret ${name}`
  const label = name === undefined ? {} : { 'aria-label': `Replace ${name}` }
  return (
    <>
      <Button {...buttonProps} {...label} onClick={open}>
        {children}
      </Button>
      <Modal opened={isOpen} onClose={close} title={title} closeButtonProps={{ 'aria-label': 'Close' }}>
        <SecretForm fullname={fullname} {...(name !== undefined && { name })} close={close} />
      </Modal>
    </>
  )
}

function SecretForm({ fullname, name, close }: { fullname: string; name?: string; close: () => void }) {
  const save = useChange('saveProjectSecret', {
    notice: (secret) => `Secret ${secret.name} saved.`,
    after: close,
  })
  const form = useForm({
    initial: { name: name ?? '', value: '' },
    check: (values) => [
      ...(values.name === '' ? [{ path: 'name', message: 'Enter a name' }] : []),
      ...(values.value === '' ? [{ path: 'value', message: 'Enter a value' }] : []),
    ],
    save: ({ name, value }) => save.mutateAsync({ fullname, name, body: { value } }),
  })
  return (
    <form onSubmit={form.submit} noValidate>
      <Stack gap="sm">
        {name === undefined && (
          <TextInput
            label="Name"
            description="Letters, digits, _ and -"
            placeholder="apiKey"
            autoComplete="off"
            data-autofocus
            {...form.text('name')}
          />
        )}
        <PasswordInput
          label="Value"
          autoComplete="off"
          {...form.text('value')}
          visibilityToggleButtonProps={{ 'aria-label': 'Show value' }}
        />
        <FormFooter
          failure={form.failure}
          isSaving={form.isSaving}
          verb="Save secret"
          shownElsewhere={(path) => /name|value/.test(path)}
        />
      </Stack>
    </form>
  )
}
