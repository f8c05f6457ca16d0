import { Button, Group, Stack, Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import { CopyButton } from '../../components/copy-button.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { Notice } from '../../components/notice.tsx'
import { ExternalLink } from '../../components/page.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { Status } from '../../components/status.tsx'
import type { Body } from '../../data/api.ts'
import { refresh, useChange } from '../../data/changes.ts'
import { useApiQuery } from '../../data/queries.ts'
import { useBlueprints } from './blueprints.ts'
import classes from './destination.module.css'
import { QrCode } from './qr-code.tsx'

type Started = Body<'createSetupSession'>
type State = Body<'getSetupSession'>['status']

/** Connects a chat by a setup session of 15 minutes. The page polls the session until it ends. */
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
              ? 'You can choose another chat. The current chat receives alerts until the new one is confirmed.'
              : 'Choose the chat, group or channel in Telegram. It takes a minute. The chat id never leaves the service.'}
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
  claimed: 'Opened. Choose the chat in Telegram',
  completed: 'Connected',
  cancelled: 'Cancelled',
  expired: 'Expired after 15 minutes',
  superseded: 'Replaced by a newer setup',
}

type SessionProps = { fullname: string; session: Started; isConnected: boolean; again: () => void }

function Session({ fullname, session, isConnected, again }: SessionProps) {
  const [ended, setEnded] = useState<State>()
  const bot = useBlueprints().items.find(({ bot }) => bot !== undefined)?.bot?.username
  const args = { fullname, id: session.id }
  const { data, error } = useApiQuery('getSetupSession', args, { pollMs: 2_000, enabled: ended === undefined })
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
        <Text size="sm">Alerts are sent to this chat from now on.</Text>
      </Notice>
    )
  return (
    <Stack gap="md">
      <div role="status">
        <Status value={status} label={labels[status]} />
      </div>
      {status === 'pending' && <SetupGuide token={session.setupToken} bot={bot} />}
      {status === 'claimed' && (
        <Text size="sm">The bot asks for the chat in Telegram. This page updates automatically.</Text>
      )}
      {!isOpen && (
        <Text size="sm" c="dimmed">
          {isConnected ? 'The previous chat still receives alerts.' : 'No chat is connected yet.'}
        </Text>
      )}
      <ErrorNotice error={error ?? cancel.error} />
      <Group>
        {isOpen ? (
          <>
            <Button variant="default" loading={cancel.isPending} onClick={() => cancel.mutate(args)}>
              Cancel setup
            </Button>
            <Text size="sm" c="dimmed">
              Expires <RelativeTime at={session.expiresAt} />
            </Text>
          </>
        ) : (
          <Button onClick={again}>Start again</Button>
        )}
      </Group>
    </Stack>
  )
}

/** The steps in Telegram: open a link or scan its QR code. If the bot's name is unknown, send a command instead. */
function SetupGuide({ token, bot }: { token: string; bot?: string | undefined }) {
  return bot === undefined ? (
    <ByCommand token={token} />
  ) : (
    <ByLink link={`https://t.me/${bot}?start=${token}`} bot={bot} />
  )
}

function ByLink({ link, bot }: { link: string; bot: string }) {
  return (
    <div className={classes.setup}>
      <QrCode text={link} label={`QR code that opens ${bot} in Telegram`} />
      <div className={classes.guide}>
        <ol className={classes.list}>
          <li>
            <ExternalLink href={link}>Open @{bot} in Telegram</ExternalLink>, or scan the QR code with your phone.
          </li>
          <li>Press Start, then choose the chat, group or channel.</li>
          <li>Come back to this page. It updates automatically.</li>
        </ol>
        <CopyButton value={link} what="link" isWide />
        <Text size="sm" c="dimmed" mt="xs">
          The link works once, for the first person who opens it. Do not share it.
        </Text>
      </div>
    </div>
  )
}

function ByCommand({ token }: { token: string }) {
  const command = `/start ${token}`
  return (
    <div>
      <ol className={classes.list}>
        <li>Open the bot of this service in Telegram. Ask the operator for its name.</li>
        <li>
          Send this command to the bot, then choose the chat, group or channel:
          <Group gap={4} wrap="nowrap" my={6}>
            <code className={classes.token}>{command}</code>
            <CopyButton value={command} what="command" />
          </Group>
        </li>
        <li>Come back to this page. It updates automatically.</li>
      </ol>
      <Text size="sm" c="dimmed">
        The command works once, for the first person who sends it. Do not share it.
      </Text>
    </div>
  )
}
