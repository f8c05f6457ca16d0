import { Button, Group } from '@mantine/core'
import { ConfirmAction } from '../../../components/confirm-action.tsx'
import { ErrorNotice } from '../../../components/error-notice.tsx'
import { Section } from '../../../components/page.tsx'
import { useTestMessage } from '../../../layouts/test-message/use-test-message.ts'
import type { Subscription } from '../model/subscription.ts'
import { TestResult } from './test-result.tsx'

/** Shows the message for a sample. Sending it needs a confirmation. */
export function TestSection({ subscription: { id, resources, project } }: { subscription: Subscription }) {
  const test = useTestMessage(id)
  return (
    <Section
      title="Test"
      about="Runs the trigger on a sample and shows the message for each destination. Nothing is saved."
    >
      <Group gap="xs">
        <Button variant="default" loading={test.isPending} onClick={() => test.mutate({ deliver: false })}>
          Show message
        </Button>
        {resources.length > 0 && (
          <SendSample count={resources.length} send={() => test.mutateAsync({ deliver: true })} />
        )}
      </Group>
      <ErrorNotice error={test.error} />
      {test.data && <TestResult result={test.data} project={project} />}
    </Section>
  )
}

/** Sends the sample that is shown, even if it does not match, because the user tests the delivery. */
export function SendSample({ count, send }: { count: number; send: () => Promise<unknown> }) {
  return (
    <ConfirmAction
      title="Send a test message?"
      text={`The sample is sent to ${count === 1 ? 'the destination' : `all ${count} destinations`}, marked as a test.`}
      verb="Send test"
      isDestructive={false}
      act={send}
    >
      {(open) => (
        <Button variant="default" onClick={open}>
          Send test
        </Button>
      )}
    </ConfirmAction>
  )
}
