import { useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { LinkText } from '../../components/link-text.tsx'
import { MessageCard } from '../../components/message-card.tsx'
import { Notice } from '../../components/notice.tsx'
import { Facts, Page, Section } from '../../components/page.tsx'
import { PageFailure } from '../../components/page-failure.tsx'
import { PageLoading } from '../../components/page-loading.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { Status } from '../../components/status.tsx'
import { refresh } from '../../data/changes.ts'
import { useLive } from '../../data/live.ts'
import { useApiQuery } from '../../data/queries.ts'
import { AddressText } from '../../layouts/address/address-text.tsx'
import { useSources } from '../../layouts/address/use-sources.ts'
import { Resolved, StateOf } from '../../layouts/alert/alert-state.tsx'
import { statusOf, type TracedAlert } from '../../layouts/alert/alert-status.ts'
import { TriggerName } from '../../layouts/trigger-name.tsx'
import { AlertHead } from './alert-head.tsx'
import { Deliveries } from './deliveries.tsx'
import { Digest } from './digest.tsx'
import { Replay } from './replay.tsx'
import { Timeline } from './timeline.tsx'
import { Trace } from './trace.tsx'

/** The stream reports changes of the status. Delivery attempts that do not change it are polled. */
const pollMs = 5_000

export function AlertPage() {
  const { workspace, alert: id } = useParams({ from: '/shell/w/$workspace/alerts/$alert' })
  const { data: alert, error, refetch } = useApiQuery('getAlert', { id }, { pollMs })
  const sources = useSources()
  useLive(workspace, (event) => {
    if (event.event === 'alert' && (event.data.id === id || event.data.resolves === id)) void refresh(['alerts'])
  })
  if (!alert) return error ? <PageFailure title="Alert" error={error} retry={() => void refetch()} /> : <PageLoading />
  if (sources.isLoading) return <PageLoading />
  const source = sources.find(alert.source)
  return (
    <Page
      title={alert.message.title}
      about={<About workspace={workspace} alert={alert} />}
      breadcrumb={
        <LinkText to="/w/$workspace/alerts" params={{ workspace }}>
          Alerts
        </LinkText>
      }
      actions={<Replay alert={alert} />}
    >
      <ErrorNotice error={error} />
      <StatusNotice alert={alert} />
      <Section title="Message">
        <AlertHead workspace={workspace} alert={alert} />
        <MessageCard message={alert.message} showText={(text) => <AddressText text={text} source={source} />} />
      </Section>
      <Timeline workspace={workspace} alert={alert} />
      <Section title="Origin">
        <Origin workspace={workspace} alert={alert} />
      </Section>
      <Digest workspace={workspace} alert={alert} />
      <Deliveries alert={alert} />
      <Trace alert={alert} source={source} />
    </Page>
  )
}

/** Severity, state, status and time. */
function About({ workspace, alert }: { workspace: string; alert: TracedAlert }) {
  const { severity, state, resolvedBy } = alert
  return (
    <>
      {severity !== 'info' && (
        <>
          <Status value={severity} /> ·{' '}
        </>
      )}
      {resolvedBy ? (
        <Resolved workspace={workspace} other={resolvedBy.id} durationMs={resolvedBy.durationMs} />
      ) : (
        <StateOf workspace={workspace} alert={alert} isOpen />
      )}
      {state !== null && ' · '}
      <Status {...statusOf(alert)} /> · <RelativeTime at={alert.createdAt} />
    </>
  )
}

/** Explains a status that needs more than one word. */
function StatusNotice({ alert: { status, reason, hasDeliveries } }: { alert: TracedAlert }) {
  if (status === 'retracted')
    return (
      <Notice tone="warn" title="This alert was retracted">
        {reason ?? 'A chain reorganisation removed the block that caused it.'}
        {hasDeliveries && ' Destinations that received the alert also received the retraction.'}
      </Notice>
    )
  if (status === 'failed')
    return (
      <Notice tone="bad" title="A delivery failed">
        {reason ?? 'The attempts below show the errors.'} Fix the destination, then resend the failed deliveries.
      </Notice>
    )
  return reason ? <Notice tone="info" title={reason} /> : null
}

function Origin({ workspace, alert }: { workspace: string; alert: TracedAlert }) {
  const { project, trigger, subscription, rule, source, block } = alert
  return (
    <Facts
      facts={[
        ['Trigger', <TriggerName key="trigger" workspace={workspace} trigger={trigger} />],
        ['Project', <Name key="project">{project}</Name>],
        [
          'Subscription',
          subscription === undefined ? (
            'Deleted'
          ) : (
            <LinkText
              key="subscription"
              to="/w/$workspace/subscriptions/$subscription"
              params={{ workspace, subscription }}
            >
              Open subscription
            </LinkText>
          ),
        ],
        ...(rule === undefined ? [] : [['Rule', rule] satisfies [string, string]]),
        ...(source === undefined ? [] : [['Source', <Name key="source">{source}</Name>] satisfies [string, ReactNode]]),
        ...(block === undefined ? [] : blockFacts(block)),
      ]}
    />
  )
}

function blockFacts({ number, hash }: NonNullable<TracedAlert['block']>): [string, ReactNode][] {
  return [
    ['Block', number.toLocaleString('en')],
    ['Block hash', <Name key="hash">{hash}</Name>],
  ]
}

function Name({ children }: { children: string }) {
  return <span className="mono">{children}</span>
}
