import { PasswordInput, Stack } from '@mantine/core'
import { PasswordChange } from '@tocsin/contract'
import { Section } from '../../components/page.tsx'
import { useChange } from '../../data/changes.ts'
import { FormFooter } from '../../forms/form-footer.tsx'
import { issuesIn } from '../../forms/issues-in.ts'
import { useForm } from '../../forms/use-form.ts'
import { NewPasswordInput } from './new-password-input.tsx'

const empty = { current: '', next: '' }

/** The first administrator and accounts of an identity provider have no password at first. */
export function PasswordSection({ hasPassword }: { hasPassword: boolean }) {
  const change = useChange('changePassword', {
    notice: hasPassword ? 'Password changed. Your other sessions have ended.' : 'Password set.',
  })
  const form = useForm({
    initial: empty,
    check: (values) => issuesIn(PasswordChange, values),
    save: ({ current, next }) => change.mutateAsync({ body: hasPassword ? { current, next } : { next } }),
    isEmptiedBySave: true,
  })
  const about = hasPassword
    ? 'A new password ends all your other sessions. Access tokens stay valid.'
    : 'You have no password yet. Set one to sign in with your e-mail address.'
  return (
    <Section title="Password" about={about}>
      <form onSubmit={form.submit} noValidate>
        <Stack gap="sm">
          {hasPassword && (
            <PasswordInput label="Current password" autoComplete="current-password" {...form.text('current')} />
          )}
          <NewPasswordInput label="New password" {...form.text('next')} />
          <FormFooter
            failure={form.failure}
            isSaving={form.isSaving}
            verb={hasPassword ? 'Change password' : 'Set password'}
            shownElsewhere={(path) => path in empty}
          />
        </Stack>
      </form>
    </Section>
  )
}
