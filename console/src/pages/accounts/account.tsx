import { Stack, Text } from '@mantine/core'
import { useMe } from '../../data/session.ts'
import { useWorkspaces } from '../../data/workspace.ts'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { IconKey } from '../../parts/icons.tsx'
import { LinkButton } from '../../parts/link-button.tsx'
import { LinkText } from '../../parts/link-text.tsx'
import { Facts, Page, Section } from '../../parts/page.tsx'
import { RelativeTime } from '../../parts/relative-time.tsx'
import { Label } from '../../parts/status.tsx'
import { PageLoading } from '../../shell/page-loading.tsx'

export function AccountPage() {
  const { data: me, error, refetch } = useMe()
  if (error) return <ErrorNotice error={error} retry={() => void refetch()} />
  if (!me) return <PageLoading />
  return (
    <Page title="Account" about="Who you are to this service." isNarrow>
      <Section>
        <Facts
          facts={[
            ['Name', me.name],
            ['E-mail', me.email],
            ['Member since', <RelativeTime key="since" at={me.createdAt} />],
          ]}
        />
      </Section>
      <Memberships />
      <Section
        title="Access tokens"
        about="Scripts and pipelines sign in with a token of their own, which can be revoked without changing anything else."
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
    <Section title="Workspaces" about="Where you are a member, and as what.">
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
