import { Button, List } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ValueChart, type ValueMark, type ValuePoint } from '../../charts/value-chart.tsx'
import { ConfirmAction } from '../../components/confirm-action.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { IconRefresh } from '../../components/icons.tsx'
import { LinkText } from '../../components/links.tsx'
import { PageFailure } from '../../components/loaded.tsx'
import { Notice } from '../../components/notice.tsx'
import { Facts, Page, Section } from '../../components/page.tsx'
import { PageLoading } from '../../components/page-loading.tsx'
import { refresh, useChange } from '../../data/changes.ts'
import { useApiList } from '../../data/lists.ts'
import { useLive } from '../../data/live.ts'
import { useApiQuery } from '../../data/queries.ts'
import { TransactionLink, transactionOf } from '../../layouts/address/transaction-link.tsx'
import { type Source, useSources } from '../../layouts/address/use-sources.ts'
import type { TracedAlert } from '../../layouts/alert/alert-status.ts'
import { amountIn, tokenIcon } from '../../layouts/alert/amount.ts'
import { useTitles } from '../../layouts/alert/use-titles.ts'
import { TriggerName } from '../../layouts/trigger-name.tsx'
import { NetworkGlyph } from '../../layouts/watch/network-glyph.tsx'
import classes from './alert-facts.module.css'
import { AlertHead, AlertLine } from './alert-head.tsx'
import { Deliveries } from './deliveries.tsx'
import { Trace } from './trace.tsx'
import { type Values, valuesAround } from './values-around.ts'

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
      glyph={<AlertGlyph {...{ workspace, alert, source }} />}
      about={<AlertLine {...{ workspace, alert, source }} />}
      breadcrumb={
        <LinkText to="/w/$workspace/alerts" params={{ workspace }}>
          Alerts
        </LinkText>
      }
      actions={
        <>
          <Replay alert={alert} />
          <CopyButton value={window.location.href} what="link" isWide />
        </>
      }
    >
      <ErrorNotice error={error} />
      <StatusNotice alert={alert} />
      <AlertHead {...{ workspace, alert, source }} />
      <AlertValues alert={alert} />
      <Digest workspace={workspace} alert={alert} />
      <Deliveries workspace={workspace} alert={alert} />
      {alert.resource === undefined && <Trace {...{ workspace, alert, source }} />}
      <AlertFacts {...{ workspace, alert, source }} />
    </Page>
  )
}

type AlertGlyphProps = { workspace: string; alert: TracedAlert; source: Source | undefined }

function AlertGlyph({ workspace, alert: { trigger, resource, message }, source }: AlertGlyphProps) {
  const titles = useTitles(workspace)
  const token = tokenIcon(amountIn(message.title)?.unit)
  return (
    <NetworkGlyph
      source={source}
      title={resource === undefined ? titles.trigger(trigger) : titles.destination(resource)}
      size={40}
      token={token}
    />
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

const shownMax = 100

/** The alerts of a digest. Their titles come from the list of the subscription's alerts, which may not contain old ones. */
function Digest({ workspace, alert }: { workspace: string; alert: TracedAlert }) {
  const { digest: ids = [], subscription } = alert
  const isListed = ids.length > 0 && subscription !== undefined
  const { items } = useApiList(
    'listAlerts',
    { query: { workspace, ...(isListed && { subscription }), status: 'digested', limit: '200' } },
    { enabled: isListed },
  )
  if (ids.length === 0) return null
  const titles = new Map(items.map(({ id, message }) => [id, message.title]))
  return (
    <Section
      title="Alerts in this digest"
      about={`${ids.length === 1 ? '1 alert' : `${ids.length} alerts`} were sent in this message.${ids.length > shownMax ? ` The first ${shownMax}:` : ''}`}
    >
      <List size="sm" type="ordered">
        {ids.slice(0, shownMax).map((id) => (
          <List.Item key={id}>
            <LinkText to="/w/$workspace/alerts/$alert" params={{ workspace, alert: id }}>
              {titles.get(id) ?? <span className="mono">{id}</span>}
            </LinkText>
          </List.Item>
        ))}
      </List>
    </Section>
  )
}

/** Resends failed deliveries, or all of them. Receivers recognise a repeat by the alert's id. Retracted and waiting alerts are not resent. */
function Replay({ alert: { id, status, deliveries } }: { alert: TracedAlert }) {
  const replay = useChange('replayAlert', { notice: 'Queued for resending.' })
  if (deliveries.length === 0 || status === 'retracted' || status === 'waiting') return null
  const failed = deliveries.filter(({ status }) => status === 'dead').length
  return (
    <>
      {failed > 0 && (
        <ConfirmAction
          title="Resend failed deliveries?"
          text={`${failed === 1 ? 'One failed delivery will be' : `${failed} failed deliveries will be`} resent, with retries for about a day.`}
          verb="Resend failed"
          isDestructive={false}
          act={() => replay.mutateAsync({ id, body: { all: false } })}
        >
          {(open) => (
            <Button leftSection={<IconRefresh />} onClick={open}>
              Resend failed
            </Button>
          )}
        </ConfirmAction>
      )}
      <ConfirmAction
        title="Resend to all destinations?"
        text="Every destination receives this alert again. The alert keeps its id, so a receiver that checks ids ignores the repeat."
        verb="Resend"
        isDestructive={false}
        act={() => replay.mutateAsync({ id, body: { all: true } })}
      >
        {(open) => (
          <Button variant="default" onClick={open}>
            Resend
          </Button>
        )}
      </ConfirmAction>
    </>
  )
}

const valuesPollMs = 30_000
const time = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
})

/** What the policy compared before, during and after the alert. Alerts of policies without a value show nothing. */
function AlertValues({ alert }: { alert: TracedAlert }) {
  const { id, resolves, resolvedBy, subscription } = alert
  const { data, error } = useApiQuery(
    'getAlertValues',
    { id },
    { pollMs: valuesPollMs, enabled: subscription !== undefined },
  )
  const own = new Set([id, resolves, resolvedBy?.id].flatMap((each) => each ?? []))
  const shown = data && valuesAround(data, own)
  if (error) return <ErrorNotice error={error} />
  if (!shown || shown.values.length < 2) return null
  const points = shown.values.map(pointOf)
  const hasBound = points.some(({ bound }) => bound !== undefined)
  return (
    <Section title="Value" about={hasBound ? 'The dashed line is the bound.' : undefined}>
      <ValueChart
        label={labelOf(shown)}
        points={points}
        marks={shown.alerts.map((each) => markOf(each, own))}
        xLabel={(x) => time.format(x)}
      />
    </Section>
  )
}

function pointOf({ at, value, bound }: Values['values'][number]): ValuePoint {
  const point = { x: Date.parse(at), y: Number(value), text: value }
  return bound === undefined ? point : { ...point, bound: Number(bound), boundText: bound }
}

function markOf({ id, at, state }: Values['alerts'][number], own: ReadonlySet<string>): ValueMark {
  const name = state === null ? 'Alert' : state === 'firing' ? 'Fired' : 'Resolved'
  return { x: Date.parse(at), name, isFiring: state !== 'resolved', isLabelled: own.has(id) }
}

function labelOf({ values }: Values): string {
  const last = values.at(-1)
  return `The value over time: ${last?.value ?? ''} at ${time.format(Date.parse(last?.at ?? ''))}`
}

type AlertFactsProps = { workspace: string; alert: TracedAlert; source: Source | undefined }

/** Where the alert comes from, in names. Full names and hashes are shown on hover and can be copied. */
function AlertFacts({ workspace, alert, source }: AlertFactsProps) {
  const { project, trigger, rule, block, resource } = alert
  if (resource !== undefined) return <DestinationFacts {...{ workspace, resource }} />
  const transaction = transactionOf(alert)
  const facts: [string, ReactNode][] = [
    ['Trigger', <TriggerName key="trigger" workspace={workspace} trigger={trigger} />],
    [
      'Project',
      <span key="project" title={project}>
        {project.split('.').at(-1)}
      </span>,
    ],
    ['Subscription', <SubscriptionLink key="subscription" workspace={workspace} id={alert.subscription} />],
    ...fact('Rule', rule),
    ...fact('Source', alert.source && <SourceLink workspace={workspace} fullname={alert.source} source={source} />),
    ...fact('Block', block && <Block {...block} />),
    ...fact('Transaction', transaction && <TransactionLink hash={transaction} source={source} />),
  ]
  return (
    <Section title="Origin">
      <Facts facts={facts} />
    </Section>
  )
}

/** An alert about a destination comes from no trigger. */
function DestinationFacts({ workspace, resource }: { workspace: string; resource: string }) {
  const link = (
    <LinkText to="/w/$workspace/resources/$resource" params={{ workspace, resource }} title={resource}>
      Open destination
    </LinkText>
  )
  return (
    <Section title="Origin">
      <Facts facts={[['Destination', link]]} />
    </Section>
  )
}

type SourceLinkProps = { workspace: string; fullname: string; source: Source | undefined }

/** A source that the reader may not see has no page for them. */
function SourceLink({ workspace, fullname, source }: SourceLinkProps) {
  if (!source) return <span title={fullname}>{fullname.split('.').at(-1)}</span>
  return (
    <LinkText to="/w/$workspace/sources/$source" params={{ workspace, source: fullname }} title={fullname}>
      {source.title}
    </LinkText>
  )
}

function SubscriptionLink({ workspace, id }: { workspace: string; id: string | undefined }) {
  const { data } = useApiQuery('getSubscription', { id: id ?? '' }, { enabled: id !== undefined })
  if (id === undefined) return 'Deleted'
  return (
    <LinkText to="/w/$workspace/subscriptions/$subscription" params={{ workspace, subscription: id }}>
      {data?.meta.title ?? 'Open subscription'}
    </LinkText>
  )
}

function Block({ number, hash }: NonNullable<TracedAlert['block']>) {
  return (
    <span className={classes.block} title={hash}>
      {number.toLocaleString('en')} <CopyButton value={hash} what="block hash" size={24} />
    </span>
  )
}

function fact(name: string, value: ReactNode): [string, ReactNode][] {
  return value ? [[name, value]] : []
}
