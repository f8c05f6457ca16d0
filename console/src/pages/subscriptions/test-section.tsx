import { Button, Group } from '@mantine/core'
import { ConfirmAction } from '../../parts/confirm-action.tsx'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { Section } from '../../parts/page.tsx'
import { TestResult } from './test-result.tsx'
import { useMessageTest } from './use-message-test.ts'

/** What a sample would make of it; sent only after a question. */
export function TestSection({ id, resources }: { id: string; resources: string[] }) {
  const test = useMessageTest(id)
  return (
    <Section
      title="Test"
      about="Runs the triggers on a sample and shows the message as each destination would get it. Nothing is recorded."
    >
      <Group gap="xs">
        <Button variant="default" loading={test.isPending} onClick={() => test.mutate({ deliver: false })}>
          Show the message
        </Button>
        {resources.length > 0 && <SendTest count={resources.length} send={() => test.mutateAsync({ deliver: true })} />}
      </Group>
      <ErrorNotice error={test.error} />
      {test.data && <TestResult result={test.data} />}
    </Section>
  )
}

export function SendTest({ count, send }: { count: number; send: () => Promise<unknown> }) {
  return (
    <ConfirmAction
      title="Send a test message?"
      text={`The message really goes to ${count === 1 ? 'its destination' : `all ${count} destinations`}, marked as a test.`}
      verb="Send it"
      isDestructive={false}
      act={send}
    >
      {(open) => (
        <Button variant="default" onClick={open}>
          Send a test
        </Button>
      )}
    </ConfirmAction>
  )
}
