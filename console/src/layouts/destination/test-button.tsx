import { Button, Text } from '@mantine/core'
import { Details } from '../../components/details.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { Status } from '../../components/status.tsx'
import { useChange } from '../../data/changes.ts'
import { Exchange } from './exchange.tsx'

/** Sends a real message to one destination, also to a failing one, and shows the receiver's answer. */
export function TestButton({ fullname, title }: { fullname: string; title: string }) {
  const test = useChange('testResource')
  const result = test.data
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
      {result && (
        <Text size="sm" mt={6} role="status" component="div">
          <Status value={result.ok ? 'ok' : 'failed'} label={result.ok ? 'Test message sent' : 'Test message failed'} />{' '}
          {[
            result.error ?? (result.status === undefined ? undefined : `HTTP ${result.status}`),
            `${result.durationMs} ms`,
          ]
            .filter(Boolean)
            .join(' · ')}
        </Text>
      )}
      {result?.request && (
        <Details key={result.at} summary="Request and response" isOpen={!result.ok}>
          <Exchange attempt={result} />
        </Details>
      )}
    </div>
  )
}
