import { Button, Group, Stack, Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { Notice } from '../../components/notice.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { Status } from '../../components/status.tsx'
import type { Body } from '../../data/api.ts'
import { refresh, useChange } from '../../data/changes.ts'
import { useApiQuery } from '../../data/queries.ts'
import { useBlueprints } from './blueprints.ts'
import { SetupGuide } from './setup-guide.tsx'

type Started = Body<'createSetupSession'>
type State = Body<'getSetupSession'>['status']

/** Connects a chat: a session of fifteen minutes, opened in Telegram, watched until it ends. */
export function TelegramSetup({ fullname, isConnected }: { fullname: string; isConnected: boolean }) {
  const [session, setSession] = useState<Started>()
  const start = useChange('createSetupSession', { after: setSession })
  const begin = () => start.mutate({ fullname })
  return (
    <Stack gap="md">
      <ErrorNotice error={start.error} />
      {session ? (
        <Session key={session.id} fullname={fullname} session={session} isConnected={isConnected} again={begin} />
      ) : (
        <>
          <Text size="sm">
            {isConnected
              ? 'You can move it to another chat. The present one goes on receiving until the new one is confirmed.'
              : 'Pick the chat, group or channel in Telegram. It takes a minute, and the chat’s id never leaves the service.'}
          </Text>
          <Group>
            <Button onClick={begin} loading={start.isPending}>
              {isConnected ? 'Choose another chat' : 'Connect Telegram'}
            </Button>
          </Group>
        </>
      )}
    </Stack>
  )
}

const labels: Record<State, string> = {
  pending: 'Waiting for you to open Telegram',
  claimed: 'Opened: now pick the chat in Telegram',
  completed: 'Connected',
  cancelled: 'Cancelled',
  expired: 'Expired: the fifteen minutes are over',
  superseded: 'Replaced by a newer setup',
}

type SessionProps = { fullname: string; session: Started; isConnected: boolean; again: () => void }

function Session({ fullname, session, isConnected, again }: SessionProps) {
  const [ended, setEnded] = useState<State>()
  const bot = useBlueprints().items.find(({ bot }) => bot !== undefined)?.bot?.username
  const args = { fullname, id: session.id }
  const { data, error } = useApiQuery('getSetupSession', args, { everyMs: 2_000, enabled: ended === undefined })
  const cancel = useChange('cancelSetupSession')
  const status = ended ?? data?.status ?? 'pending'
  const isOpen = status === 'pending' || status === 'claimed'
  useEffect(() => {
    if (isOpen || ended !== undefined) return
    setEnded(status)
    void refresh(['resources', 'subscriptions'])
  }, [isOpen, ended, status])
  if (status === 'completed')
    return (
      <Notice tone="good" title="Telegram is connected">
        <Text size="sm">Alerts go to the chat you picked from now on.</Text>
      </Notice>
    )
  return (
    <Stack gap="md">
      <div role="status">
        <Status value={status} label={labels[status]} />
      </div>
      {status === 'pending' && <SetupGuide token={session.setupToken} bot={bot} />}
      {status === 'claimed' && <Text size="sm">The bot asks you there; this page notices by itself.</Text>}
      {!isOpen && (
        <Text size="sm" c="dimmed">
          {isConnected ? 'The chat that was connected before goes on receiving.' : 'No chat is connected yet.'}
        </Text>
      )}
      <ErrorNotice error={error ?? cancel.error} />
      <Group>
        {isOpen ? (
          <>
            <Button variant="default" loading={cancel.isPending} onClick={() => cancel.mutate(args)}>
              Cancel the setup
            </Button>
            <Text size="sm" c="dimmed">
              Ends <RelativeTime at={session.expiresAt} />
            </Text>
          </>
        ) : (
          <Button onClick={again}>Start again</Button>
        )}
      </Group>
    </Stack>
  )
}
