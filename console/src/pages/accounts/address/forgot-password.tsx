import { Stack, TextInput } from '@mantine/core'
import { useLocation } from '@tanstack/react-router'
import { useState } from 'react'
import { LinkText } from '../../../components/links.tsx'
import { Notice } from '../../../components/notice.tsx'
import { api } from '../../../data/api.ts'
import { FormFooter } from '../../../forms/form-footer.tsx'
import { useForm } from '../../../forms/use-form.ts'
import { SignInLayout } from '../sign-in-layout.tsx'

export function ForgotPasswordPage() {
  // What was typed on the sign-in page. It is not in the URL, because servers log URLs.
  const email = useLocation({ select: ({ state }) => state.email ?? '' })
  const [sentTo, setSentTo] = useState<string>()
  const form = useForm({
    initial: { email },
    check: ({ email }) => (email.trim() === '' ? [{ path: 'email', message: 'Enter your e-mail address' }] : []),
    save: async (body) => {
      await api.forgotPassword({ body })
      setSentTo(body.email)
    },
  })
  return (
    <SignInLayout
      title="Forgotten password"
      about={
        <>
          You know it again?{' '}
          <LinkText to="/sign-in" search={{}}>
            Sign in
          </LinkText>
        </>
      }
    >
      {sentTo === undefined ? (
        <form onSubmit={form.submit} noValidate>
          <Stack gap="sm">
            <TextInput label="E-mail" type="email" autoComplete="username" {...form.text('email')} />
            <FormFooter isWide failure={form.failure} isSaving={form.isSaving} verb="Send link" />
          </Stack>
        </form>
      ) : (
        <Notice tone="info" title="Look into your mailbox">
          If {sentTo} has an account, we have sent a link there. It works once, for 30 minutes.
        </Notice>
      )}
    </SignInLayout>
  )
}
