import { Button, Group, Modal, Radio, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useState } from 'react'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { IconRefresh } from '../../components/icons.tsx'
import { countWords } from '../../components/numbers/count-words.ts'
import { useChange } from '../../data/changes.ts'
import { useApiQuery } from '../../data/queries.ts'

const hourMs = 3_600_000
const periods = [
  { label: 'Last 24 hours', ms: 24 * hourMs },
  { label: 'Last hour', ms: hourMs },
  { label: 'Last 7 days', ms: 7 * 24 * hourMs },
  { label: 'Last 30 days', ms: 30 * 24 * hourMs },
]

type ResendProps = {
  workspace: string
  /** Without it, everything that failed in the workspace is resent. */
  resource?: string
  title?: string
  failingSince?: string | undefined
}

/** Resends everything that one destination, or all of them, did not get since a time. */
export function Resend({ workspace, resource, title, failingSince }: ResendProps) {
  const [isOpen, { open, close }] = useDisclosure(false)
  return (
    <>
      <Button variant="default" leftSection={<IconRefresh />} onClick={open}>
        Resend failed
      </Button>
      <Modal
        opened={isOpen}
        onClose={close}
        title={title === undefined ? 'Resend what failed' : `Resend what failed to ${title}`}
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        {isOpen && <ResendForm {...{ workspace, failingSince, close }} {...(resource !== undefined && { resource })} />}
      </Modal>
    </>
  )
}

type ResendFormProps = Omit<ResendProps, 'title'> & { close: () => void }

function ResendForm({ workspace, resource, failingSince, close }: ResendFormProps) {
  const [choices] = useState(() => choicesOf(failingSince))
  const [chosen, setChosen] = useState(choices[0]?.label)
  const since = choices.find(({ label }) => label === chosen)?.since ?? ''
  const resend = useChange('resendFailed', {
    notice: ({ deliveries, isComplete }) => noticeOf(deliveries, isComplete),
    refetches: ['resources', 'workspaces', 'alerts'],
    after: close,
  })
  return (
    <Stack gap="md">
      <Radio.Group label="Failed since" value={chosen ?? ''} onChange={setChosen}>
        <Stack gap={6} mt={6}>
          {choices.map(({ label }) => (
            <Radio key={label} value={label} label={label} />
          ))}
        </Stack>
      </Radio.Group>
      <Expected workspace={workspace} resource={resource} since={since} />
      <ErrorNotice error={resend.error} />
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={close}>
          Cancel
        </Button>
        <Button
          loading={resend.isPending}
          onClick={() =>
            resend.mutate({ fullname: workspace, body: { since, ...(resource !== undefined && { resource }) } })
          }
        >
          Resend
        </Button>
      </Group>
    </Stack>
  )
}

/** The numbers of the hours since then, which cost nothing to read. */
function Expected({ workspace, resource, since }: { workspace: string; resource: string | undefined; since: string }) {
  const query = { range: '30d' } as const
  const isWhole = resource === undefined
  const whole = useApiQuery('getWorkspaceCounts', { fullname: workspace, query }, { enabled: isWhole })
  const one = useApiQuery('getResourceCounts', { fullname: resource ?? '', query }, { enabled: !isWhole })
  const { data, error } = isWhole ? whole : one
  return (
    <>
      <ErrorNotice error={error} title="The number of failed deliveries could not be read" />
      <Text size="sm" c="dimmed">
        {data && `${givenUpWords(data.hours, since)} `}
        Deliveries that wait for their next attempt are sent at once. Each alert keeps its id, so a receiver that checks
        ids ignores a repeat.
      </Text>
    </>
  )
}

function givenUpWords(hours: readonly { hour: string; failed: number }[], since: string): string {
  const failed = hours
    .filter(({ hour }) => Date.parse(hour) + hourMs > Date.parse(since))
    .reduce((sum, hour) => sum + hour.failed, 0)
  if (failed === 0) return 'No delivery was given up in this time.'
  return `${countWords(failed, 'delivery was', 'deliveries were')} given up in this time.`
}

/** “Since it began to fail” comes first while the destination fails. */
function choicesOf(failingSince: string | undefined): { label: string; since: string }[] {
  const nowMs = Date.now()
  const times = periods.map(({ label, ms }) => ({ label, since: new Date(nowMs - ms).toISOString() }))
  if (failingSince === undefined) return times
  return [{ label: 'Since it began to fail', since: failingSince }, ...times]
}

function noticeOf(deliveries: number, isComplete: boolean): string {
  if (deliveries === 0) return 'Nothing failed in this time.'
  return `${countWords(deliveries, 'delivery', 'deliveries')} queued for resending.${isComplete ? '' : ' More are left: resend again.'}`
}
