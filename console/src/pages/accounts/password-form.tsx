import { PasswordInput, Stack, TextInput } from '@mantine/core'
import { api } from '../../data/api.ts'
import { FormFooter } from '../../forms/form-footer.tsx'
import { useForm } from '../../forms/use-form.ts'
import { CodeField, UsePasskey, useSignInSteps } from './second-factor-step.tsx'

export function usePasswordForm() {
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

export function PasswordForm({ form, takesCode, takesPasskey }: ReturnType<typeof usePasswordForm>) {
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
