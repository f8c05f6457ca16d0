import { Button, Group, Modal, PasswordInput, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { ComponentProps, ReactNode } from 'react'
import { DangerButton } from '../../components/confirm-action.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { api, type Body } from '../../data/api.ts'
import { useForm } from '../../forms/use-form.ts'
import { getCredential, hasWebAuthn } from './webauthn.ts'

/** Shows that the owner of the account is here. */
export type OwnerProof = { password?: string; passkey?: Awaited<ReturnType<typeof getCredential>> }

type WithProofProps = {
  title: string
  text: ReactNode
  verb: string
  security: Pick<Body<'getSecurity'>, 'hasPassword' | 'passkeys'>
  isDestructive?: boolean
  act: (proof: OwnerProof) => Promise<unknown>
  /** Renders the button that opens the dialog. */
  children: (open: () => void) => ReactNode
}

/**
 * Asks for the password or a passkey before a change of how the account is signed in to. An account without a password only
 * confirms: the service wants a sign-in in the last minutes, and says so.
 */
export function WithProof(props: WithProofProps) {
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
  security: { hasPassword, passkeys },
  isDestructive = true,
  act,
  close,
}: WithProofProps & { close: () => void }) {
  const form = useForm({
    initial: { password: '' },
    check: ({ password }) =>
      hasPassword && password === '' ? [{ path: 'password', message: 'Enter your password' }] : [],
    save: async ({ password }) => {
      await act(hasPassword ? { password } : {})
      close()
    },
  })
  const byPasskey = useForm({
    initial: {},
    save: async () => {
      await act({ passkey: await getCredential(await api.createPasskeySignIn({})) })
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
        <ErrorNotice error={form.failure ?? byPasskey.failure} />
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          {passkeys > 0 && hasWebAuthn() && (
            <Button variant="default" loading={byPasskey.isSaving} onClick={() => byPasskey.submit()}>
              Use a passkey
            </Button>
          )}
          <Button type="submit" color={isDestructive ? 'red.9' : undefined} loading={form.isSaving}>
            {verb}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

type RemoveSignInProps = Omit<ComponentProps<typeof WithProof>, 'children'> & {
  /** What the button removes, for screen readers. */
  name: string
}

/** The button that removes one way to sign in. */
export function RemoveSignIn({ name, ...question }: RemoveSignInProps) {
  return (
    <WithProof {...question}>
      {(open) => (
        <DangerButton size="xs" onClick={open} aria-label={`Remove ${name}`}>
          Remove
        </DangerButton>
      )}
    </WithProof>
  )
}
