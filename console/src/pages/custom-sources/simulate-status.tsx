import { Button, Group, Text } from '@mantine/core'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { Section } from '../../components/page.tsx'
import { useChange } from '../../data/changes.ts'

/** Simulates a failure or a recovery of the source. */
export function SimulateStatus({ fullname }: { fullname: string }) {
  const test = useChange('testCustomSourceStatus')
  const run = (type: 'error' | 'recovered') => test.mutate({ fullname, body: { type } })
  return (
    <Section
      title="Simulate a status change"
      about="Shows how many triggers receive the event. The real status does not change."
    >
      <Group>
        <Button variant="default" loading={test.isPending} onClick={() => run('error')}>
          Simulate failure
        </Button>
        <Button variant="default" loading={test.isPending} onClick={() => run('recovered')}>
          Simulate recovery
        </Button>
      </Group>
      <div aria-live="polite">
        <ErrorNotice error={test.error} />
        {test.data && (
          <Text size="sm" mt="sm">
            {test.data.event.message} Matched triggers: {test.data.matched}. Deliveries: {test.data.delivered}.
          </Text>
        )}
      </div>
    </Section>
  )
}
