import { Group, Loader, Skeleton, Stack, Text } from '@mantine/core'
import { useQueries } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { ErrorNotice } from '../../../components/error-notice.tsx'
import { IconAlert } from '../../../components/icons.tsx'
import { LinkButton } from '../../../components/links.tsx'
import { MessageCard } from '../../../components/message-card.tsx'
import { Section } from '../../../components/page.tsx'
import { Status } from '../../../components/status.tsx'
import type { Item } from '../../../data/api.ts'
import { useLive } from '../../../data/live.ts'
import { apiQuery } from '../../../data/queries.ts'
import { useWorkspace } from '../../../data/workspace.ts'
import { AddressText } from '../../../layouts/address/address-text.tsx'
import type { AddressSource } from '../../../layouts/address/use-sources.ts'
import { useTestMessage } from '../../../layouts/test-message/use-test-message.ts'
import classes from './live-result.module.css'
import type { Live } from './use-go-live.ts'

type Alert = Item<'listAlerts'>

type LiveResultProps = { live: Live; sentence: string; source?: AddressSource }

/** The watch is live: the test message, the first alert when it comes, and where to go next. */
export function LiveResult({ live, sentence, source }: LiveResultProps) {
  const { fullname: workspace } = useWorkspace()
  const { subscriptions, triggers, resources } = live
  const [subscription = ''] = subscriptions
  const [trigger = ''] = triggers
  return (
    <Stack gap="lg">
      <Section>
        <div className={classes.live} role="status">
          <span className={classes.bell}>
            <IconAlert size={28} />
          </span>
          <div>
            <h2 className={classes.title}>It is live</h2>
            <Text>
              <AddressText text={sentence} source={source} />
            </Text>
          </div>
        </div>
        <Group gap="xs" mt="lg">
          <LinkButton to="/w/$workspace/alerts" params={{ workspace }} search={{ subscription }}>
            Show alerts
          </LinkButton>
          <LinkButton
            to="/w/$workspace/subscriptions/$subscription"
            params={{ workspace, subscription }}
            variant="default"
          >
            Open subscription
          </LinkButton>
          <LinkButton to="/w/$workspace/triggers/$trigger/edit" params={{ workspace, trigger }} variant="default">
            Open in builder
          </LinkButton>
        </Group>
      </Section>
      {subscriptions.map((id) => (
        <TestMessage key={id} subscription={id} resources={resources} source={source} />
      ))}
      <FirstAlert workspace={workspace} subscriptions={subscriptions} source={source} />
    </Stack>
  )
}

/** The stream has only the alerts since it was opened, so the alerts of the subscriptions are also read when it opens. */
function useLatestAlert(workspace: string, subscriptions: string[]) {
  const [latest, setLatest] = useState<Alert>()
  const lists = useQueries({
    queries: subscriptions.map((subscription) => apiQuery('listAlerts', { query: { subscription, limit: '1' } })),
  })
  const isLive = useLive(
    workspace,
    ({ event, data }) => {
      if (event === 'alert' && subscriptions.includes(data.subscription ?? '')) setLatest(data)
    },
    () => void Promise.all(lists.map(({ refetch }) => refetch())),
  )
  return { alert: latest ?? lists.flatMap(({ data = [] }) => data)[0], isLive }
}

type FirstAlertProps = { workspace: string; subscriptions: string[]; source: AddressSource | undefined }

function FirstAlert({ workspace, subscriptions, source }: FirstAlertProps) {
  const { alert, isLive } = useLatestAlert(workspace, subscriptions)
  return (
    <Section title="First alert">
      {alert ? (
        <Stack gap="sm">
          <MessageCard message={alert.message} showText={(text) => <AddressText text={text} source={source} />} />
          <Group>
            <LinkButton to="/w/$workspace/alerts/$alert" params={{ workspace, alert: alert.id }} variant="default">
              Show trace
            </LinkButton>
          </Group>
        </Stack>
      ) : (
        <Group gap="sm" role="status">
          <Loader size="sm" aria-hidden="true" />
          <Text>{isLive ? 'Waiting for the first alert. It appears here.' : 'Connecting to the live stream…'}</Text>
        </Group>
      )}
    </Section>
  )
}

type TestMessageProps = { subscription: string; resources: string[]; source: AddressSource | undefined }

/** Sends a test message when it is first shown, made from the latest item on the chain if there is one. */
function TestMessage({ subscription, resources, source }: TestMessageProps) {
  const test = useTestMessage(subscription)
  const send = useEffectEvent(() => test.mutate({ deliver: resources.length > 0 }))
  useEffect(() => send(), [])
  const message = test.data?.results.find((result) => result.message)?.message
  return (
    <Section title="Test message">
      <Stack gap="sm">
        {test.isPending && (
          <div role="status">
            <Text size="sm" c="dimmed" mb="xs">
              Looking for the latest match on the chain.
            </Text>
            <Skeleton height={80} />
          </div>
        )}
        <ErrorNotice error={test.error} retry={() => test.mutate({ deliver: resources.length > 0 })} />
        {message && <MessageCard message={message} showText={(text) => <AddressText text={text} source={source} />} />}
        {test.data && !message && (
          <Text size="sm">
            {resources.length === 0
              ? 'Nothing matches yet.'
              : 'Nothing matches yet, so the test message is a plain one.'}
          </Text>
        )}
        {test.data?.deliveries.map(({ resource, ok, error }) => (
          <div key={resource}>
            <Status value={ok ? 'ok' : 'failed'} label={ok ? 'Test message sent' : 'Test message failed'} />{' '}
            <span className="mono">{resource}</span>
            {error && <Text size="sm">{error}</Text>}
          </div>
        ))}
        {message && resources.length === 0 && (
          <Text size="sm" c="dimmed">
            You chose no destination, so the message is shown here only.
          </Text>
        )}
      </Stack>
    </Section>
  )
}
