import { Stack, Text } from '@mantine/core'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { IconKey } from '../../components/icons.tsx'
import { LinkButton } from '../../components/link-button.tsx'
import { LinkText } from '../../components/link-text.tsx'
import { Page, Section } from '../../components/page.tsx'
import { PageLoading } from '../../components/page-loading.tsx'
import { Label } from '../../components/status.tsx'
import { useApiQuery } from '../../data/queries.ts'
import { useMe } from '../../data/session.ts'
import { useWorkspaces } from '../../data/workspace.ts'
import { EmailSection, NameSection } from './address/profile.tsx'
import { DeleteSection } from './delete-account.tsx'
import { IdentitiesSection } from './identities.tsx'
import { PasskeysSection } from './passkeys.tsx'
import { PasswordSection } from './password.tsx'
import { SecondFactorSection } from './second-factor.tsx'
import { SessionsSection } from './sessions.tsx'

export function AccountPage() {
  const me = useMe()
  const security = useApiQuery('getSecurity', {})
  const error = me.error ?? security.error
  const retry = () => void Promise.all([me.refetch(), security.refetch()])
  if (!me.data || !security.data) return error ? <ErrorNotice error={error} retry={retry} /> : <PageLoading />
  const { hasPassword } = security.data
  return (
    <Page title="Account" about="Your account on this service." isNarrow>
      <NameSection name={me.data.name} />
      <EmailSection email={me.data.email} security={security.data} />
      <PasswordSection key={String(hasPassword)} hasPassword={hasPassword} />
      <SecondFactorSection security={security.data} />
      <PasskeysSection security={security.data} />
      <IdentitiesSection security={security.data} />
      <SessionsSection />
      <Memberships />
      <Section
        title="Access tokens"
        about="Create one token for each script or pipeline. You can revoke each token separately."
      >
        <LinkButton to="/account/tokens" variant="default" leftSection={<IconKey />}>
          Manage access tokens
        </LinkButton>
      </Section>
      <DeleteSection security={security.data} />
    </Page>
  )
}

function Memberships() {
  const { items, isLoading } = useWorkspaces()
  return (
    <Section title="Workspaces" about="Your workspaces and roles.">
      <Stack gap="xs">
        {items.length === 0 && !isLoading && <Text>You are not a member of any workspace yet.</Text>}
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
