import { PasswordInput, Stack, TextInput } from '@mantine/core'
import { AccountSave, EmailChange } from '@tocsin/contract'
import { Section } from '../../../components/page.tsx'
import type { Body } from '../../../data/api.ts'
import { useChange } from '../../../data/changes.ts'
import { useApiQuery } from '../../../data/queries.ts'
import { FormFooter } from '../../../forms/form-footer.tsx'
import { issuesIn } from '../../../forms/issues-in.ts'
import { useForm } from '../../../forms/use-form.ts'
import { AddressProof } from './address-proof.tsx'

export function NameSection({ name }: { name: string }) {
  const save = useChange('saveMe', { notice: 'Name saved.' })
  const form = useForm({
    initial: { name },
    version: name,
    check: (values) => issuesIn(AccountSave, values),
    save: (body) => save.mutateAsync({ body }),
  })
  return (
    <Section title="Name" about="Other members of your workspaces see it.">
      <form onSubmit={form.submit} noValidate>
        <Stack gap="sm">
          <TextInput label="Name" autoComplete="name" {...form.text('name')} />
          <FormFooter failure={form.failure} isSaving={form.isSaving} verb="Save name" shownElsewhere={isField} />
        </Stack>
      </form>
    </Section>
  )
}

export function EmailSection({ email, security }: { email: string; security: Body<'getSecurity'> }) {
  const { data: methods } = useApiQuery('getSignInMethods', {})
  const save = useChange('changeEmail', { notice: 'E-mail address saved.' })
  const form = useForm({
    initial: { email, password: '' },
    version: email,
    check: (values) => issuesIn(EmailChange, values),
    save: ({ email, password }) => save.mutateAsync({ body: security.hasPassword ? { email, password } : { email } }),
  })
  return (
    <Section title="E-mail address" about="You sign in with it, and links for a new password go there.">
      <form onSubmit={form.submit} noValidate>
        <Stack gap="sm">
          <AddressProof isVerified={security.emailVerified} hasMail={methods?.passwordReset === true} />
          <TextInput label="E-mail" type="email" autoComplete="email" {...form.text('email')} />
          {security.hasPassword && (
            <PasswordInput label="Password" autoComplete="current-password" {...form.text('password')} />
          )}
          <FormFooter failure={form.failure} isSaving={form.isSaving} verb="Save address" shownElsewhere={isField} />
        </Stack>
      </form>
    </Section>
  )
}

function isField(path: string): boolean {
  return ['name', 'email', 'password'].includes(path)
}
