import { Button, Group, Text, UnstyledButton } from '@mantine/core'
import { useState } from 'react'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { LinkText } from '../../components/links.tsx'
import { Section } from '../../components/page.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { Label, Status } from '../../components/status.tsx'
import { useChange } from '../../data/changes.ts'
import type { TracedAlert } from '../../layouts/alert/alert-status.ts'
import { useTitles } from '../../layouts/alert/use-titles.ts'
import { ChannelGlyph } from '../../layouts/destination/channel-glyph.tsx'
import { Exchange } from '../../layouts/destination/exchange.tsx'
import classes from './deliveries.module.css'

type Delivery = TracedAlert['deliveries'][number]

/** The status to show. A delivery that failed and waits for its next attempt is “Retrying”, not “Queued”. */
function statusOf({ status, attempts }: Delivery): { value: string; label: string } {
  switch (status) {
    case 'waiting':
      return { value: status, label: 'Waiting for finality' }
    case 'pending':
      return attempts.length > 0 ? { value: 'retrying', label: 'Retrying' } : { value: 'queued', label: 'Queued' }
    case 'delivered':
      return { value: status, label: 'Delivered' }
    case 'dead':
      return { value: status, label: 'Failed' }
    case 'dropped':
      return { value: 'cancelled', label: 'Not sent' }
  }
}

/** Why an alert has no deliveries. */
const noDeliveryReasons: Partial<Record<TracedAlert['status'], string>> = {
  waiting: 'The subscription waits until the block is final enough. Nothing was sent yet.',
  collected: 'Queued for digest. The alert will be sent in the next digest.',
  digested: 'Sent in a digest. The digest is a separate alert, which shows its deliveries.',
}

export function Deliveries({ workspace, alert }: { workspace: string; alert: TracedAlert }) {
  const { status, deliveries } = alert
  const titles = useTitles(workspace)
  return (
    <Section title="Deliveries">
      {deliveries.length === 0 && (
        <Text c="dimmed">
          {noDeliveryReasons[status] ?? 'The subscription has no destination. This alert is in the app only.'}
        </Text>
      )}
      <div className={classes.deliveries}>
        {deliveries.map((delivery) => (
          <DeliveryBlock
            key={delivery.id}
            {...{ workspace, alert, delivery }}
            title={titles.destination(delivery.resource)}
          />
        ))}
      </div>
    </Section>
  )
}

type DeliveryBlockProps = { workspace: string; alert: TracedAlert; delivery: Delivery; title: string }

function DeliveryBlock({ workspace, alert, delivery, title }: DeliveryBlockProps) {
  const { resource, blueprint, status, kind, repeat, attempts, nextAttemptAt, foldedInto, foldedCount } = delivery
  const replay = useChange('replayAlert', { notice: 'Queued for resending.' })
  return (
    <div className={classes.delivery}>
      <Group justify="space-between" gap="xs">
        <Group gap="sm">
          <ChannelGlyph blueprint={blueprint} />
          <LinkText to="/w/$workspace/resources/$resource" params={{ workspace, resource }} fw={550} title={resource}>
            {title}
          </LinkText>
          {kind === 'retraction' && <Label>retraction</Label>}
          {repeat !== undefined && <Label>{`repeat ${repeat}`}</Label>}
          <Status {...statusOf(delivery)} />
        </Group>
        {status !== 'pending' && status !== 'waiting' && kind === 'alert' && alert.status !== 'retracted' && (
          <Button
            size="xs"
            variant="default"
            loading={replay.isPending}
            aria-label={`Resend to ${title}`}
            onClick={() => replay.mutate({ id: alert.id, body: { all: true, resource } })}
          >
            Resend
          </Button>
        )}
      </Group>
      <ErrorNotice error={replay.error} />
      {foldedInto !== undefined && (
        <Text size="sm" c="dimmed" mt={6}>
          {status === 'delivered' ? 'Told' : 'To be told'} in one message with other alerts that waited:{' '}
          <LinkText to="/w/$workspace/alerts/$alert" params={{ workspace, alert: foldedInto }}>
            open the alert with the message
          </LinkText>
        </Text>
      )}
      {foldedCount !== undefined && (
        <Text size="sm" c="dimmed" mt={6}>
          One message tells of this alert and {foldedCount === 1 ? '1 other' : `${foldedCount} others`}, because too
          many waited.
        </Text>
      )}
      <Attempts attempts={attempts} isOpen={status !== 'delivered'} />
      {nextAttemptAt && (
        <Text size="sm" c="dimmed" mt={6}>
          {attempts.length === 0 ? 'First attempt' : 'Next attempt'} <RelativeTime at={nextAttemptAt} />
        </Text>
      )}
    </div>
  )
}

type Attempt = TracedAlert['deliveries'][number]['attempts'][number]

/** The attempts of a delivery as a timeline. One with a request or an answer opens by a click; `isOpen` opens the last. */
function Attempts({ attempts, isOpen }: { attempts: Attempt[]; isOpen: boolean }) {
  const [opened, setOpened] = useState<string | undefined>(isOpen ? attempts.at(-1)?.at : undefined)
  if (attempts.length === 0) return null
  return (
    <ol className={classes.attempts} aria-label="Attempts">
      {attempts.map((attempt, at) => (
        <li key={attempt.at} data-ok={attempt.ok}>
          <Row
            {...{ attempt, number: at + 1 }}
            isOpen={opened === attempt.at}
            toggle={() => setOpened(opened === attempt.at ? undefined : attempt.at)}
          />
          {opened === attempt.at && <Exchange attempt={attempt} />}
        </li>
      ))}
    </ol>
  )
}

type RowProps = { attempt: Attempt; number: number; isOpen: boolean; toggle: () => void }

function Row({ attempt, number, isOpen, toggle }: RowProps) {
  const content = <Line attempt={attempt} number={number} />
  if (!attempt.request && !attempt.response) return <div className={classes.row}>{content}</div>
  return (
    <UnstyledButton className={classes.row} aria-expanded={isOpen} onClick={toggle}>
      {content}
    </UnstyledButton>
  )
}

function Line({ attempt: { at, ok, status, error, note, durationMs }, number }: { attempt: Attempt; number: number }) {
  return (
    <>
      <span className={classes.number}>Attempt {number}</span>
      <Status value={ok ? 'ok' : 'failed'} label={status === undefined ? (ok ? 'Sent' : 'Failed') : String(status)} />
      <span className={classes.outcome}>{error ?? note ?? (ok ? 'Delivered' : 'Failed without a reason')}</span>
      <span className={classes.time}>
        {durationMs.toLocaleString('en')} ms · <RelativeTime at={at} />
      </span>
    </>
  )
}
