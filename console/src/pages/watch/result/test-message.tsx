import { Skeleton, Stack, Text } from '@mantine/core'
import { useEffect, useEffectEvent } from 'react'
import { ErrorNotice } from '../../../components/error-notice.tsx'
import { MessageCard } from '../../../components/message-card.tsx'
import { Section } from '../../../components/page.tsx'
import { Status } from '../../../components/status.tsx'
import { AddressText } from '../../../layouts/address/address-text.tsx'
import type { AddressSource } from '../../../layouts/address/use-sources.ts'
import { useTestMessage } from '../../../layouts/test-message/use-test-message.ts'

type TestMessageProps = { subscription: string; resources: string[]; source: AddressSource }

/** Sends a test message when it is first shown, made from the latest item on the chain if there is one. */
export function TestMessage({ subscription, resources, source }: TestMessageProps) {
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
              ? 'Nothing on the chain matches yet.'
              : 'Nothing on the chain matches yet, so the test message is a plain one.'}
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
