import { Button, Group, Loader, Stack, Text } from '@mantine/core'
import { useEffect, useEffectEvent, useState } from 'react'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { IconAlert } from '../../components/icons.tsx'
import { LinkButton } from '../../components/link-button.tsx'
import { MessageCard } from '../../components/message-card.tsx'
import type { Item } from '../../data/api.ts'
import { useChange } from '../../data/changes.ts'
import { useApiList } from '../../data/lists.ts'
import { useLive } from '../../data/live.ts'
import classes from './first-steps.module.css'
import { intervalOf, type Subscription, type Trigger } from './use-progress.ts'

type Alert = Item<'listAlerts'>
type WatchTaskProps = { workspace: string; timer: Trigger; subscription: Subscription; rang: () => void }

/** Waits for the first alert, then keeps showing the newest as they come. */
export function WatchTask({ workspace, timer, subscription, rang }: WatchTaskProps) {
  const [heard, setHeard] = useState<Alert>()
  const { items, error, reload } = useApiList('listAlerts', {
    query: { workspace, subscription: subscription.id, limit: '1' },
  })
  const isLive = useLive(
    workspace,
    ({ event, data }) => {
      if (event === 'alert' && data.subscription === subscription.id) setHeard(data)
    },
    reload,
  )
  const alert = heard ?? items[0]
  const isHere = alert !== undefined
  const tell = useEffectEvent(rang)
  useEffect(() => {
    if (isHere) tell()
  }, [isHere])
  return (
    <Stack gap="md">
      <ErrorNotice error={error} retry={reload} />
      {alert ? (
        <Rang workspace={workspace} alert={alert} subscription={subscription} />
      ) : subscription.status === 'paused' ? (
        <Paused id={subscription.id} />
      ) : (
        <Group gap="sm" role="status">
          <Loader size="sm" aria-hidden="true" />
          <Text>
            {isLive
              ? `Listening. The timer rings every ${intervalOf(timer)}, so it cannot be long.`
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
      <Text>The subscription is paused, so the timer tells nobody.</Text>
      <Button loading={resume.isPending} onClick={() => resume.mutate({ id })}>
        Resume it
      </Button>
      <ErrorNotice error={resume.error} />
    </Group>
  )
}

function Rang({ workspace, alert, subscription }: { workspace: string; alert: Alert; subscription: Subscription }) {
  const pause = useChange('pauseSubscription', { said: 'Paused. Resume it whenever you like.' })
  const { id, status } = subscription
  return (
    <>
      <div className={classes.rang} role="status">
        <span className={classes.bell}>
          <IconAlert size={28} />
        </span>
        <div>
          <Text fw={650} size="lg">
            It works: your first alert is here
          </Text>
          <Text size="sm">From a trigger, through a subscription, to you, live.</Text>
        </div>
      </div>
      <div key={alert.id} className={classes.arrived}>
        <MessageCard message={alert.message} />
      </div>
      <Group gap="xs">
        <LinkButton to="/w/$workspace/alerts/$alert" params={{ workspace, alert: alert.id }}>
          Trace
        </LinkButton>
        <LinkButton to="/w/$workspace/alerts" params={{ workspace }} variant="default">
          Open the feed
        </LinkButton>
        <LinkButton to="/marketplace" variant="default">
          Browse the marketplace
        </LinkButton>
        {status === 'active' && (
          <Button variant="default" loading={pause.isPending} onClick={() => pause.mutate({ id })}>
            Pause the timer
          </Button>
        )}
      </Group>
      <ErrorNotice error={pause.error} />
    </>
  )
}
