import { Button, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { AccountSave, EmailChange } from '@tocsin/contract'
import { ErrorNotice } from '../../../components/error-notice.tsx'
import { Section } from '../../../components/page.tsx'
import type { Body } from '../../../data/api.ts'
import { useChange } from '../../../data/changes.ts'
import { useApiQuery } from '../../../data/queries.ts'
import { FormFooter } from '../../../forms/form-footer.tsx'
import { issuesIn } from '../../../forms/issues-in.ts'
import { useForm } from '../../../forms/use-form.ts'

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

/** Offers the link that verifies the address. Without a mail server there is none. */
function AddressProof({ isVerified, hasMail }: { isVerified: boolean; hasMail: boolean }) {
  const ask = useChange('requestAddressProof', { notice: 'The link is on its way. Open it in this browser.' })
  if (isVerified) return <Text size="sm">This address is confirmed.</Text>
  return (
    <>
      <ErrorNotice error={ask.error} />
      <Group gap="sm">
        <Text size="sm">Nobody has confirmed yet that this address is yours.</Text>
        {hasMail && (
          <Button size="xs" variant="default" loading={ask.isPending} onClick={() => ask.mutate({})}>
            Send a link
          </Button>
        )}
      </Group>
    </>
  )
}
