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
    said: `You are a member of ${joined} now.`,
    touches: ['projects', 'resources', 'custom-sources', 'triggers'],
    after: () => navigate({ to: '/w/$workspace/projects', params: { workspace: joined } }),
  })
  return (
    <Page
      title={`Join ${joined}`}
      about="You will be a member with the role user; an admin can give you a higher one."
      isNarrow
    >
      <Section>
        <Stack gap="md" align="flex-start">
          {hash === '' && (
            <TextInput
              w="100%"
              label="Invite"
              description="The link you opened holds no invite: paste it here."
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
