import { Button, Stack, TextInput } from '@mantine/core'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useState } from 'react'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { Page, Section } from '../../components/page.tsx'
import { useChange } from '../../data/changes.ts'
import { tokenIn } from './share-link.ts'

/** Opens a private project by an access link. If the URL contains the token, the project opens immediately. */
export function OpenLinkPage() {
  const { hash } = useLocation()
  const navigate = useNavigate()
  const [link, setLink] = useState(hash)
  const open = useChange('openAccessLink', {
    refetches: ['triggers', 'templates'],
    after: ({ fullname }) => navigate({ to: '/marketplace/$project', params: { project: fullname }, replace: true }),
  })
  const openNow = useEffectEvent(() => {
    if (tokenIn(hash) !== '') open.mutate({ token: tokenIn(hash) })
  })
  useEffect(() => openNow(), [])
  return (
    <Page
      title="Open a private project"
      about="An access link shows you a project that is not in the marketplace. Opening it counts as one use."
      isNarrow
    >
      <Section>
        <form
          onSubmit={(event) => {
            event.preventDefault()
            open.mutate({ token: tokenIn(link) })
          }}
        >
          <Stack align="flex-start">
            <TextInput
              w="100%"
              label="Access link"
              value={link}
              onChange={(event) => setLink(event.currentTarget.value)}
            />
            <ErrorNotice error={open.error} />
            <Button type="submit" loading={open.isPending} disabled={tokenIn(link) === ''}>
              Open project
            </Button>
          </Stack>
        </form>
      </Section>
    </Page>
  )
}
