import { Group, PasswordInput, Stack, Text } from '@mantine/core'
import { useRouter } from '@tanstack/react-router'
import { PasswordChange } from '@tocsin/contract'
import { ConfirmAction, DangerButton } from '../../components/confirm-action.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { IconKey } from '../../components/icons.tsx'
import { LinkButton, LinkText } from '../../components/links.tsx'
import { Page, Section } from '../../components/page.tsx'
import { PageLoading } from '../../components/page-loading.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { Label } from '../../components/status.tsx'
import { api, type Body, type Item } from '../../data/api.ts'
import { useChange } from '../../data/changes.ts'
import { useApiList } from '../../data/lists.ts'
import { useApiQuery } from '../../data/queries.ts'
import { forgetSession, useMe } from '../../data/session.ts'
import { useWorkspaces } from '../../data/workspace.ts'
import { FormFooter } from '../../forms/form-footer.tsx'
import { issuesIn } from '../../forms/issues-in.ts'
import { useForm } from '../../forms/use-form.ts'
import { EmailSection, NameSection } from './address/profile.tsx'
import { IdentitiesSection } from './identities.tsx'
import { NewPasswordInput } from './new-password-input.tsx'
import { PasskeysSection } from './passkeys.tsx'
import { SecondFactorSection } from './second-factor.tsx'
import { type OwnerProof, WithProof } from './with-proof.tsx'

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

function DeleteSection({ security }: { security: Body<'getSecurity'> }) {
  const router = useRouter()
  const leave = async (body: OwnerProof) => {
    await api.deleteMe({ body })
    forgetSession()
    await router.navigate({ to: '/sign-in', search: {}, ignoreBlocker: true })
  }
  return (
    <Section
      title="Delete account"
      about="Your subscriptions, alerts, tokens and address book are deleted with it, and workspaces without other members, projects and sources. You cannot delete it while you are the only owner of another workspace."
    >
      <WithProof
        title="Delete your account?"
        text="This cannot be undone."
        verb="Delete account"
        security={security}
        act={leave}
      >
        {(open) => <DangerButton onClick={open}>Delete account</DangerButton>}
      </WithProof>
    </Section>
  )
}

const empty = { current: '', next: '' }

/** The first administrator and accounts of an identity provider have no password at first. */
function PasswordSection({ hasPassword }: { hasPassword: boolean }) {
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

type Session = Item<'listSessions'>

function SessionsSection() {
  const { items, error } = useApiList('listSessions', {})
  return (
    <Section title="Sessions" about="Browsers and programs that are signed in with your account.">
      <ErrorNotice error={error} />
      <Stack gap="sm">
        {items.length === 0 && <Text>This browser is signed in with an access token. There are no sessions.</Text>}
        {items.map((session) => (
          <SessionRow key={session.id} session={session} />
        ))}
      </Stack>
    </Section>
  )
}

function SessionRow({ session }: { session: Session }) {
  const { ip, userAgent, current, createdAt, lastUsedAt } = session
  return (
    <Group justify="space-between" align="flex-start" gap="sm" wrap="nowrap">
      <div>
        <Text size="sm">
          {nameOf(userAgent)} {ip !== '' && `at ${ip}`} {current && <Label>this session</Label>}
        </Text>
        <Text size="sm" c="dimmed" component="div">
          Started <RelativeTime at={createdAt} />, last used <RelativeTime at={lastUsedAt} />
        </Text>
      </div>
      {!current && <EndSession session={session} />}
    </Group>
  )
}

function EndSession({ session }: { session: Session }) {
  const end = useChange('deleteSession', { notice: 'Session ended.' })
  const name = nameOf(session.userAgent)
  return (
    <ConfirmAction
      title="End this session?"
      text={`${name} is signed out immediately.`}
      verb="End session"
      act={() => end.mutateAsync({ id: session.id })}
    >
      {(open) => (
        <DangerButton size="xs" onClick={open} aria-label={`End the session of ${name}`}>
          End
        </DangerButton>
      )}
    </ConfirmAction>
  )
}

const browsers: [RegExp, string][] = [
  [/Edg\//, 'Edge'],
  [/Firefox\//, 'Firefox'],
  [/Chrome\//, 'Chrome'],
  [/Safari\//, 'Safari'],
]

/** The name of a known browser, else the start of the header. */
function nameOf(userAgent: string): string {
  const known = browsers.find(([pattern]) => pattern.test(userAgent))?.[1]
  return known ?? (userAgent.slice(0, 40) || 'Unknown program')
}
