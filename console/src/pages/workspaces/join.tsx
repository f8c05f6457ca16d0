import { Button, Stack, TextInput } from '@mantine/core'
import { useLocation, useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { Page, Section } from '../../components/page.tsx'
import { useChange } from '../../data/changes.ts'

export function JoinPage() {
  const { joined } = useParams({ from: '/shell/join/$joined' })
  const { hash } = useLocation()
  const navigate = useNavigate()
  const [invite, setInvite] = useState(hash)
  const join = useChange('joinWorkspace', {
    notice: `You joined ${joined}.`,
    refetches: ['projects', 'resources', 'custom-sources', 'triggers'],
    after: () => navigate({ to: '/w/$workspace/projects', params: { workspace: joined } }),
  })
  return (
    <Page
      title={`Join ${joined}`}
      about="An invitation by e-mail has its own role. With any other invite you join with the role user."
      isNarrow
    >
      <Section>
        <Stack gap="md" align="flex-start">
          {hash === '' && (
            <TextInput
              w="100%"
              label="Invite"
              description="The link contains no invite. Enter the invite here."
              value={invite}
              onChange={(event) => setInvite(event.currentTarget.value.trim())}
            />
          )}
          <ErrorNotice error={join.error} />
          <Button
            loading={join.isPending}
            disabled={invite === ''}
            onClick={() => join.mutate({ workspace: joined, body: { invite } })}
          >
            Join workspace
          </Button>
        </Stack>
      </Section>
    </Page>
  )
}
