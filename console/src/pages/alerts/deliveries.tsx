import { Button, Group, Text } from '@mantine/core'
import { useChange } from '../../data/changes.ts'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { Section } from '../../parts/page.tsx'
import { RelativeTime } from '../../parts/relative-time.tsx'
import { Label, Status } from '../../parts/status.tsx'
import type { TracedAlert } from './alert.tsx'
import classes from './deliveries.module.css'

type Delivery = TracedAlert['deliveries'][number]
const words: Record<Delivery['status'], string> = {
  pending: 'to be sent',
  delivered: 'delivered',
  dead: 'given up',
  dropped: 'not sent',
}

/** Why an alert has no deliveries of its own. */
const unsent: Partial<Record<TracedAlert['status'], string>> = {
  collected: 'It waits for its digest and goes out with it.',
  digested: 'It went out in a digest, an alert of its own, which tells how that was delivered.',
}

export function Deliveries({ alert: { id, status, deliveries } }: { alert: TracedAlert }) {
  return (
    <Section title="Deliveries">
      {deliveries.length === 0 && (
        <Text c="dimmed">
          {unsent[status] ?? 'The subscription had no destination: this alert was listed, and sent nowhere.'}
        </Text>
      )}
      <div className={classes.deliveries}>
        {deliveries.map((delivery) => (
          <DeliveryBlock key={delivery.id} alert={id} delivery={delivery} isTakenBack={status === 'retracted'} />
        ))}
      </div>
    </Section>
  )
}

type DeliveryBlockProps = { alert: string; delivery: Delivery; isTakenBack: boolean }

function DeliveryBlock({ alert, delivery, isTakenBack }: DeliveryBlockProps) {
  const { resource, blueprint, status, kind, attempts, nextAttemptAt } = delivery
  const replay = useChange('replayAlert', { said: `Sending to ${resource} again.` })
  return (
    <div className={classes.delivery}>
      <Group justify="space-between" gap="xs">
        <Group gap="sm">
          <strong className="mono">{resource}</strong>
          <Label>{blueprint.split('.').at(-1) ?? blueprint}</Label>
          {kind === 'retraction' && <Label>retraction</Label>}
          <Status value={status === 'dropped' ? 'cancelled' : status} label={words[status]} />
        </Group>
        {status !== 'pending' && kind === 'alert' && !isTakenBack && (
          <Button
            size="xs"
            variant="default"
            loading={replay.isPending}
            aria-label={`Send again to ${resource}`}
            onClick={() => replay.mutate({ id: alert, body: { all: true, resource } })}
          >
            Send again
          </Button>
        )}
      </Group>
      <ErrorNotice error={replay.error} />
      <Attempts attempts={attempts} />
      {nextAttemptAt && (
        <Text size="sm" c="dimmed" mt={6}>
          {attempts.length === 0 ? 'First attempt' : 'Next attempt'} <RelativeTime at={nextAttemptAt} />
        </Text>
      )}
    </div>
  )
}

function Attempts({ attempts }: { attempts: Delivery['attempts'] }) {
  if (attempts.length === 0) return null
  return (
    <ol className={classes.attempts} aria-label="Attempts">
      {attempts.map((attempt, at) => (
        <li key={attempt.at}>
          <span className={classes.number}>{at + 1}.</span>
          <Status value={attempt.ok ? 'ok' : 'failed'} label={attempt.ok ? 'arrived' : 'failed'} />
          <span className={classes.outcome}>
            {attempt.status !== undefined && <span className="mono">HTTP {attempt.status} </span>}
            {attempt.error}
          </span>
          <span className={classes.time}>
            {attempt.durationMs} ms · <RelativeTime at={attempt.at} />
          </span>
        </li>
      ))}
    </ol>
  )
}
