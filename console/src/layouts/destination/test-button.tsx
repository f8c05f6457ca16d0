import { Button, Text } from '@mantine/core'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { Status } from '../../components/status.tsx'
import { useChange } from '../../data/changes.ts'

/** Sends a real message to one destination, whatever its state, and shows what the receiver answered. */
export function TestButton({ fullname, title }: { fullname: string; title: string }) {
  const test = useChange('testResource')
  const told = test.data
  return (
    <div>
      <Button
        size="xs"
        variant="default"
        loading={test.isPending}
        aria-label={`Send test to ${title}`}
        onClick={() => test.mutate({ fullname })}
      >
        Send test
      </Button>
      <ErrorNotice error={test.error} />
      {told && (
        <Text size="sm" mt={6} role="status" component="div">
          <Status value={told.ok ? 'ok' : 'failed'} label={told.ok ? 'Test message sent' : 'Test message failed'} />{' '}
          {[told.error ?? (told.status === undefined ? undefined : `HTTP ${told.status}`), `${told.durationMs} ms`]
            .filter(Boolean)
            .join(' · ')}
        </Text>
      )}
    </div>
  )
}
