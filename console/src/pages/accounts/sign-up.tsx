import { Stack, TextInput } from '@mantine/core'
import { useSearch } from '@tanstack/react-router'
import { SignUp } from '@tocsin/contract'
import { LinkText } from '../../components/links.tsx'
import { api } from '../../data/api.ts'
import { useApiQuery } from '../../data/queries.ts'
import { FormFooter } from '../../forms/form-footer.tsx'
import { issuesIn } from '../../forms/issues-in.ts'
import { useForm } from '../../forms/use-form.ts'
import { OtherSignIns } from './lazy-other-sign-ins.tsx'
import { NewPasswordInput } from './new-password-input.tsx'
import { SignInLayout } from './sign-in-layout.tsx'
import { useSignedIn } from './use-signed-in.ts'

export function SignUpPage() {
  const search = useSearch({ from: '/sign-up' })
  const { data: offered } = useApiQuery('getSignInMethods', {})
  const signedIn = useSignedIn()
  const form = useForm({
    initial: { name: '', email: '', password: '' },
    check: (values) => issuesIn(SignUp, values),
    save: async (body) => {
      await api.signUp({ body })
      signedIn()
    },
  })
  return (
    <SignInLayout
      title="Create an account"
      about={
        <>
          Already have an account?{' '}
          <LinkText to="/sign-in" search={search}>
            Sign in
          </LinkText>
        </>
      }
    >
      <form onSubmit={form.submit} noValidate>
        <Stack gap="sm">
          <TextInput label="Name" autoComplete="name" {...form.text('name')} />
          <TextInput label="E-mail" type="email" autoComplete="username" {...form.text('email')} />
          <NewPasswordInput label="Password" {...form.text('password')} />
          <FormFooter
            isWide
            failure={form.failure}
            isSaving={form.isSaving}
            verb="Create account"
            shownElsewhere={(path) => path in form.values}
          />
        </Stack>
      </form>
      {offered && <OtherSignIns offered={offered} verb="Sign up" />}
    </SignInLayout>
  )
}
