import { Button, Group, Text } from '@mantine/core'
import { useChange } from '../../data/changes.ts'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { Section } from '../../parts/page.tsx'

/** Rehearses what happens when a source fails or comes back. */
export function StatusTest({ fullname }: { fullname: string }) {
  const test = useChange('testCustomSourceStatus')
  const run = (type: 'error' | 'recovered') => test.mutate({ fullname, body: { type } })
  return (
    <Section
      title="Rehearse a status change"
      about="Simulates the event and tells how many triggers it reaches; the real status stays as it is."
    >
      <Group>
        <Button variant="default" loading={test.isPending} onClick={() => run('error')}>
          It fails
        </Button>
        <Button variant="default" loading={test.isPending} onClick={() => run('recovered')}>
          It recovers
        </Button>
      </Group>
      <div aria-live="polite">
        <ErrorNotice error={test.error} />
        {test.data && (
          <Text size="sm" mt="sm">
            {test.data.event.message} It matched {test.data.matched}, delivered {test.data.delivered}.
          </Text>
        )}
      </div>
    </Section>
  )
}
