import { Checkbox, Stack } from '@mantine/core'
import { useState } from 'react'
import { LinkText } from '../../../components/links.tsx'
import { Notice } from '../../../components/notice.tsx'
import { api } from '../../../data/api.ts'
import { FormFooter } from '../../../forms/form-footer.tsx'
import { useForm } from '../../../forms/use-form.ts'
import { NewPasswordInput } from '../new-password-input.tsx'
import { SignInLayout } from '../sign-in-layout.tsx'

/** The page of the mailed link. The token is in the fragment, which the browser sends to nobody. */
export function ResetPasswordPage() {
  const [token] = useState(() => location.hash.slice(1))
  const [isDone, setDone] = useState(false)
  const form = useForm({
    initial: { password: '', endTokens: false },
    check: ({ password }) => (password.length < 8 ? [{ path: 'password', message: 'At least 8 characters' }] : []),
    save: async ({ password, endTokens }) => {
      await api.resetPassword({ body: { token, password, endTokens } })
      setDone(true)
    },
  })
  return (
    <SignInLayout
      title="New password"
      about={
        <>
          The link does not work?{' '}
          <LinkText to="/forgot-password" search={{}}>
            Ask for a new one
          </LinkText>
        </>
      }
    >
      {isDone ? (
        <Notice tone="good" title="Password set">
          All sessions have ended. If nobody had confirmed this e-mail address before, access tokens, passkeys and
          linked sign-ins were removed too.{' '}
          <LinkText to="/sign-in" search={{}}>
            Sign in with the new password
          </LinkText>
        </Notice>
      ) : (
        <form onSubmit={form.submit} noValidate>
          <Stack gap="sm">
            <NewPasswordInput label="New password" {...form.text('password')} />
            <Checkbox
              label="Also end all access tokens"
              description="Tick it if somebody else may know your old password. Scripts and pipelines then need new tokens."
              checked={form.values.endTokens}
              onChange={(event) => form.set('endTokens', event.currentTarget.checked)}
            />
            <FormFooter
              isWide
              failure={form.failure}
              isSaving={form.isSaving}
              verb="Set password"
              shownElsewhere={(path) => path === 'password'}
            />
          </Stack>
        </form>
      )}
    </SignInLayout>
  )
}
