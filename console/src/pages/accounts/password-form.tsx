import { Button, PasswordInput, Stack, TextInput } from '@mantine/core'
import { ApiError } from '@tocsin/sdk'
import { useState } from 'react'
import { api } from '../../data/api.ts'
import { FormFooter } from '../../forms/form-footer.tsx'
import { useForm } from '../../forms/use-form.ts'
import { useSignedIn } from './use-signed-in.ts'
import { getCredential, hasWebAuthn } from './webauthn.ts'

/** What the service asks for after the right password. */
type Asked = { methods: string[]; passkey?: object }

export function PasswordForm() {
  const signedIn = useSignedIn()
  const [asked, setAsked] = useState<Asked>()
  const form = useForm({
    initial: { email: '', password: '', code: '' },
    check: ({ email, password }) => [
      ...(email.trim() === '' ? [{ path: 'email', message: 'Enter your e-mail address' }] : []),
      ...(password === '' ? [{ path: 'password', message: 'Enter your password' }] : []),
    ],
    save: async ({ email, password, code }) => {
      const passkey = asked?.passkey && code === '' ? { passkey: await getCredential(asked.passkey) } : {}
      try {
        await api.signIn({ body: { email, password, ...(code !== '' && { code }), ...passkey } })
      } catch (error) {
        const next = askedBy(error)
        if (!next) throw error
        setAsked(next)
        return
      }
      signedIn()
    },
  })
  const takesCode = asked?.methods.some((method) => method !== 'passkey')
  const takesPasskey = asked?.passkey !== undefined && hasWebAuthn()
  return (
    <form onSubmit={form.submit} noValidate>
      <Stack gap="sm">
        <TextInput label="E-mail" type="email" autoComplete="username" {...form.text('email')} />
        <PasswordInput label="Password" autoComplete="current-password" {...form.text('password')} />
        {takesCode && (
          <TextInput
            label="Code"
            description="From your authenticator app, or a recovery code"
            autoComplete="one-time-code"
            autoFocus
            {...form.text('code')}
          />
        )}
        <FormFooter isWide failure={form.failure} isSaving={form.isSaving} verb="Sign in" />
        {takesPasskey && form.values.code === '' && (
          <Button variant="default" fullWidth loading={form.isSaving} onClick={() => form.submit()}>
            Use a passkey
          </Button>
        )}
      </Stack>
    </form>
  )
}

function askedBy(error: unknown): Asked | undefined {
  if (!(error instanceof ApiError) || error.code !== 'second_factor_required') return undefined
  const { methods, passkey } = error.details ?? {}
  return {
    methods: Array.isArray(methods) ? methods.map(String) : [],
    ...(typeof passkey === 'object' && passkey !== null && { passkey }),
  }
}
