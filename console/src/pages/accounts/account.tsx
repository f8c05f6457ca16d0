import { Stack, Text } from '@mantine/core'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { IconKey } from '../../components/icons.tsx'
import { LinkButton } from '../../components/link-button.tsx'
import { LinkText } from '../../components/link-text.tsx'
import { Facts, Page, Section } from '../../components/page.tsx'
import { PageLoading } from '../../components/page-loading.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { Label } from '../../components/status.tsx'
import { useMe } from '../../data/session.ts'
import { useWorkspaces } from '../../data/workspace.ts'

export function AccountPage() {
  const { data: me, error, refetch } = useMe()
  if (error) return <ErrorNotice error={error} retry={() => void refetch()} />
  if (!me) return <PageLoading />
  return (
    <Page title="Account" about="Your account on this service." isNarrow>
      <Section>
        <Facts
          facts={[
            ['Name', me.name],
            ['E-mail', me.email],
            ['Created', <RelativeTime key="since" at={me.createdAt} />],
          ]}
        />
      </Section>
      <Memberships />
      <Section
        title="Access tokens"
        about="Create one token for each script or pipeline. You can revoke each token separately."
      >
        <LinkButton to="/account/tokens" variant="default" leftSection={<IconKey />}>
          Manage access tokens
        </LinkButton>
      </Section>
    </Page>
  )
}

function Memberships() {
  const { items } = useWorkspaces()
  return (
    <Section title="Workspaces" about="Your workspaces and roles.">
      <Stack gap="xs">
        {items.length === 0 && <Text>You are not a member of any workspace yet.</Text>}
        {items.map(({ fullname, meta, level }) => (
          <div key={fullname}>
            <LinkText to="/w/$workspace/settings" params={{ workspace: fullname }} mr="sm">
              {meta.title ?? fullname}
            </LinkText>
            <Label>{level}</Label>
          </div>
        ))}
      </Stack>
    </Section>
  )
}
