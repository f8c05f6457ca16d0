import { Button, Group, Modal, PasswordInput, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { useForm } from '../../forms/use-form.ts'

type WithPasswordProps = {
  title: string
  text: ReactNode
  verb: string
  hasPassword: boolean
  isDestructive?: boolean
  act: (body: { password?: string }) => Promise<unknown>
  /** Renders the button that opens the dialog. */
  children: (open: () => void) => ReactNode
}

/** Asks for the password before a change that protects the account. An account without a password only confirms. */
export function WithPassword(props: WithPasswordProps) {
  const [isOpen, { open, close }] = useDisclosure(false)
  return (
    <>
      {props.children(open)}
      <Modal opened={isOpen} onClose={close} title={props.title} closeButtonProps={{ 'aria-label': 'Close' }}>
        <Question {...props} close={close} />
      </Modal>
    </>
  )
}

function Question({
  text,
  verb,
  hasPassword,
  isDestructive = true,
  act,
  close,
}: WithPasswordProps & { close: () => void }) {
  const form = useForm({
    initial: { password: '' },
    check: ({ password }) =>
      hasPassword && password === '' ? [{ path: 'password', message: 'Enter your password' }] : [],
    save: async ({ password }) => {
      await act(hasPassword ? { password } : {})
      close()
    },
  })
  return (
    <form onSubmit={form.submit} noValidate>
      <Stack gap="md">
        <Text size="sm" component="div">
          {text}
        </Text>
        {hasPassword && (
          <PasswordInput label="Password" autoComplete="current-password" data-autofocus {...form.text('password')} />
        )}
        <ErrorNotice error={form.failure} />
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" color={isDestructive ? 'red.9' : undefined} loading={form.isSaving}>
            {verb}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
