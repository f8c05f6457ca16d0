import type { ReactNode } from 'react'
import { CopyButton } from '../../components/copy-button.tsx'
import { LinkText } from '../../components/link-text.tsx'
import { Facts, Section } from '../../components/page.tsx'
import { useApiQuery } from '../../data/queries.ts'
import { TransactionLink, transactionOf } from '../../layouts/address/transaction-link.tsx'
import type { Source } from '../../layouts/address/use-sources.ts'
import type { TracedAlert } from '../../layouts/alert/alert-status.ts'
import { TriggerName } from '../../layouts/trigger-name.tsx'
import classes from './alert-facts.module.css'

type AlertFactsProps = { workspace: string; alert: TracedAlert; source: Source | undefined }

/** Where the alert comes from, in names. Full names and hashes are shown on hover and can be copied. */
export function AlertFacts({ workspace, alert, source }: AlertFactsProps) {
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
