import { Group, Stack, Text } from '@mantine/core'
import { ConfirmAction } from '../../components/confirm-action.tsx'
import { DangerButton } from '../../components/danger-button.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { Section } from '../../components/page.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { Label } from '../../components/status.tsx'
import type { Item } from '../../data/api.ts'
import { useChange } from '../../data/changes.ts'
import { useApiList } from '../../data/lists.ts'

type Session = Item<'listSessions'>

export function SessionsSection() {
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
