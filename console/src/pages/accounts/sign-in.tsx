import { PasswordInput, SegmentedControl, Stack, Text, TextInput } from '@mantine/core'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { LinkText } from '../../components/links.tsx'
import { api } from '../../data/api.ts'
import { useApiQuery } from '../../data/queries.ts'
import { FormFooter } from '../../forms/form-footer.tsx'
import { useForm } from '../../forms/use-form.ts'
import { OtherSignIns } from './lazy-other-sign-ins.tsx'
import { CodeField, UsePasskey, useSignInSteps } from './second-factor-step.tsx'
import { SignInLayout } from './sign-in-layout.tsx'
import { useSignedIn } from './use-signed-in.ts'

export function SignInPage() {
  const [method, setMethod] = useState('password')
  const { data: offered } = useApiQuery('getSignInMethods', {})
  const search = useSearch({ from: '/sign-in' })
  const passwordForm = usePasswordForm()
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
      {method === 'password' ? <PasswordForm {...passwordForm} /> : <TokenForm />}
      {offered?.passwordReset && (
        <LinkText to="/forgot-password" search={{}} state={{ email: passwordForm.form.values.email }}>
          Forgotten password?
        </LinkText>
      )}
      {offered && <OtherSignIns offered={offered} verb="Sign in" />}
    </SignInLayout>
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

function usePasswordForm() {
  const { signIn, takesCode, takesPasskey } = useSignInSteps()
  const form = useForm({
    initial: { email: '', password: '', code: '' },
    check: ({ email, password }) => [
      ...(email.trim() === '' ? [{ path: 'email', message: 'Enter your e-mail address' }] : []),
      ...(password === '' ? [{ path: 'password', message: 'Enter your password' }] : []),
    ],
    save: ({ email, password, code }) => signIn(code, (proof) => api.signIn({ body: { email, password, ...proof } })),
  })
  return { form, takesCode, takesPasskey }
}

function PasswordForm({ form, takesCode, takesPasskey }: ReturnType<typeof usePasswordForm>) {
  return (
    <form onSubmit={form.submit} noValidate>
      <Stack gap="sm">
        <TextInput label="E-mail" type="email" autoComplete="username" {...form.text('email')} />
        <PasswordInput label="Password" autoComplete="current-password" {...form.text('password')} />
        {takesCode && <CodeField {...form.text('code')} />}
        <FormFooter isWide failure={form.failure} isSaving={form.isSaving} verb="Sign in" />
        {takesPasskey && form.values.code === '' && <UsePasskey isSaving={form.isSaving} use={form.submit} />}
      </Stack>
    </form>
  )
}
