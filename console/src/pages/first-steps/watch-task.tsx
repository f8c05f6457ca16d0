import { Button, Group, Loader, Stack, Text } from '@mantine/core'
import { useEffect, useEffectEvent, useState } from 'react'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { IconAlert } from '../../components/icons.tsx'
import { LinkButton } from '../../components/links.tsx'
import { MessageCard } from '../../components/message-card.tsx'
import type { Item } from '../../data/api.ts'
import { useChange } from '../../data/changes.ts'
import { useApiList } from '../../data/lists.ts'
import { useLive } from '../../data/live.ts'
import { healthTexts } from '../../layouts/watch/goal-texts.ts'
import classes from './first-steps.module.css'
import { intervalOf, type Subscription, type Trigger } from './use-progress.ts'

type Alert = Item<'listAlerts'>
type WatchTaskProps = { workspace: string; timer: Trigger; subscription: Subscription; onAlert: () => void }

/** Waits for the first alert, then shows the newest alert live. */
export function WatchTask({ workspace, timer, subscription, onAlert }: WatchTaskProps) {
  const [latest, setLatest] = useState<Alert>()
  const { items, error, reload } = useApiList('listAlerts', {
    query: { workspace, subscription: subscription.id, limit: '1' },
  })
  const isLive = useLive(
    workspace,
    ({ event, data }) => {
      if (event === 'alert' && data.subscription === subscription.id) setLatest(data)
    },
    reload,
  )
  const alert = latest ?? items[0]
  const hasAlert = alert !== undefined
  const report = useEffectEvent(onAlert)
  useEffect(() => {
    if (hasAlert) report()
  }, [hasAlert])
  return (
    <Stack gap="md">
      <ErrorNotice error={error} retry={reload} />
      {alert ? (
        <FirstAlert workspace={workspace} alert={alert} subscription={subscription} />
      ) : subscription.status === 'paused' ? (
        <Paused id={subscription.id} />
      ) : (
        <Group gap="sm" role="status">
          <Loader size="sm" aria-hidden="true" />
          <Text>
            {isLive
              ? `Waiting for the first alert. The timer fires every ${intervalOf(timer)}.`
              : 'Connecting to the live stream…'}
          </Text>
        </Group>
      )}
    </Stack>
  )
}

function Paused({ id }: { id: string }) {
  const resume = useChange('resumeSubscription')
  return (
    <Group gap="sm">
      <Text>The subscription is paused, so it sends no alerts.</Text>
      <Button loading={resume.isPending} onClick={() => resume.mutate({ id })}>
        Resume
      </Button>
      <ErrorNotice error={resume.error} />
    </Group>
  )
}

function FirstAlert({
  workspace,
  alert,
  subscription,
}: {
  workspace: string
  alert: Alert
  subscription: Subscription
}) {
  const pause = useChange('pauseSubscription', { notice: 'Subscription paused.' })
  const { id, status } = subscription
  return (
    <>
      <div className={classes.rang} role="status">
        <span className={classes.bell}>
          <IconAlert size={28} />
        </span>
        <div>
          <Text fw={650} size="lg">
            Your first alert has arrived
          </Text>
          <Text size="sm">The timer fired, and your subscription sent you this alert.</Text>
        </div>
      </div>
      <div key={alert.id} className={classes.arrived}>
        <MessageCard message={alert.message} />
      </div>
      <Group gap="xs">
        <LinkButton to="/w/$workspace/alerts/$alert" params={{ workspace, alert: alert.id }}>
          Show trace
        </LinkButton>
        <LinkButton to="/w/$workspace/alerts" params={{ workspace }} variant="default">
          Show all alerts
        </LinkButton>
        <LinkButton to="/w/$workspace/watch/health" params={{ workspace }} variant="default">
          {healthTexts.title}
        </LinkButton>
        <LinkButton to="/marketplace" variant="default">
          Browse marketplace
        </LinkButton>
        {status === 'active' && (
          <Button variant="default" loading={pause.isPending} onClick={() => pause.mutate({ id })}>
            Pause subscription
          </Button>
        )}
      </Group>
      <ErrorNotice error={pause.error} />
    </>
  )
}
