import { Button, Stack } from '@mantine/core'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { ErrorNotice } from '../../../components/error-notice.tsx'
import { Page, Section } from '../../../components/page.tsx'
import { useChange } from '../../../data/changes.ts'
import { useMe } from '../../../data/session.ts'

/** The page of the mailed link. The token is in the fragment, which the browser sends to nobody. */
export function VerifyEmailPage() {
  const { hash } = useLocation()
  const [token] = useState(hash)
  const { data: me } = useMe()
  const navigate = useNavigate()
  const prove = useChange('proveAddress', {
    notice: 'E-mail address confirmed.',
    after: () => navigate({ to: '/account' }),
  })
  return (
    <Page
      title="Confirm your e-mail address"
      about={`You are signed in as ${me?.email ?? ''}. Confirm only if you asked for this link.`}
      isNarrow
    >
      <Section>
        <Stack gap="md" align="flex-start">
          <ErrorNotice error={prove.error} />
          <Button loading={prove.isPending} disabled={token === ''} onClick={() => prove.mutate({ body: { token } })}>
            Confirm address
          </Button>
        </Stack>
      </Section>
    </Page>
  )
}
