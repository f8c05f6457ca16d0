import { Button, PasswordInput, SegmentedControl, Stack, Text } from '@mantine/core'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { LinkText } from '../../components/link-text.tsx'
import { api } from '../../data/api.ts'
import { useApiQuery } from '../../data/queries.ts'
import { FormFooter } from '../../forms/form-footer.tsx'
import { useForm } from '../../forms/use-form.ts'
import { PasswordForm } from './password-form.tsx'
import { SignInLayout } from './sign-in-layout.tsx'
import { useSignedIn } from './use-signed-in.ts'
import { getCredential, hasWebAuthn } from './webauthn.ts'

export function SignInPage() {
  const [method, setMethod] = useState('password')
  const { data: offered } = useApiQuery('getSignInMethods')
  const search = useSearch({ from: '/sign-in' })
  return (
    <SignInLayout
      title="Sign in"
      about={
        <>
          New here?{' '}
          <LinkText to="/sign-up" search={search}>
            Create an account
          </LinkText>
        </>
      }
    >
      <SegmentedControl
        fullWidth
        aria-label="Sign-in method"
        value={method}
        onChange={setMethod}
        data={[
          { value: 'password', label: 'Password' },
          { value: 'token', label: 'Access token' },
        ]}
      />
      {method === 'password' ? <PasswordForm /> : <TokenForm />}
      {offered?.passwordReset && (
        <LinkText to="/forgot-password" search={{}}>
          Forgotten password?
        </LinkText>
      )}
      {offered?.passkeys && hasWebAuthn() && <PasskeyButton />}
    </SignInLayout>
  )
}

function PasskeyButton() {
  const signedIn = useSignedIn()
  const form = useForm({
    initial: {},
    save: async () => {
      const response = await getCredential(await api.createPasskeySignIn({}))
      await api.signInByPasskey({ body: { response } })
      signedIn()
    },
  })
  return (
    <Stack gap="sm">
      <ErrorNotice error={form.failure} />
      <Button variant="default" fullWidth loading={form.isSaving} onClick={() => form.submit()}>
        Sign in with a passkey
      </Button>
    </Stack>
  )
}

function TokenForm() {
  const signedIn = useSignedIn()
  const form = useForm({
    initial: { token: '' },
    check: ({ token }) => (token.trim() === '' ? [{ path: 'token', message: 'Enter the token' }] : []),
    save: async (body) => {
      await api.signInByToken({ body })
      signedIn()
    },
  })
  return (
    <form onSubmit={form.submit} noValidate>
      <Stack gap="sm">
        <PasswordInput
          label="Access token"
          description="The first start of the service printed one in the terminal. Create others under Access tokens."
          autoComplete="off"
          {...form.text('token')}
        />
        <Text size="sm" c="dimmed">
          The session ends when the token expires or is revoked.
        </Text>
        <FormFooter isWide failure={form.failure} isSaving={form.isSaving} verb="Sign in" />
      </Stack>
    </form>
  )
}
