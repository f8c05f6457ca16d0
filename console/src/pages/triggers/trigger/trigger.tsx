import { Group, Text } from '@mantine/core'
import { useNavigate, useParams } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { ConfirmAction, DangerButton } from '../../../components/confirm-action.tsx'
import { Details } from '../../../components/details.tsx'
import { ErrorNotice } from '../../../components/error-notice.tsx'
import { LinkText } from '../../../components/links.tsx'
import { Loaded } from '../../../components/loaded.tsx'
import { Notice } from '../../../components/notice.tsx'
import { Facts, Page, Section } from '../../../components/page.tsx'
import { PageLoading } from '../../../components/page-loading.tsx'
import { Figure } from '../../../components/patterns/figure.tsx'
import { RichRows } from '../../../components/patterns/rich-row.tsx'
import { RelativeTime } from '../../../components/relative-time.tsx'
import { Label, Status } from '../../../components/status.tsx'
import { useChange } from '../../../data/changes.ts'
import { useApiList } from '../../../data/lists.ts'
import { type Entity, useApiQuery, useEntity } from '../../../data/queries.ts'
import { atLeast, useWorkspace } from '../../../data/workspace.ts'
import { AddressJson } from '../../../layouts/address/address-json.tsx'
import { AddressText } from '../../../layouts/address/address-text.tsx'
import { type AddressSource, type Source, useSources } from '../../../layouts/address/use-sources.ts'
import { AlertRow } from '../../../layouts/alert/alert-row.tsx'
import { statusOf } from '../../../layouts/alert/alert-status.ts'
import { useTitles } from '../../../layouts/alert/use-titles.ts'
import type { Counts, CountsRange } from '../../../layouts/counts/counts.ts'
import { CountsBars, RangeChoice } from '../../../layouts/counts/counts-bars.tsx'
import { StackNotice } from '../../../layouts/stack-notice.tsx'
import { NetworkGlyph } from '../../../layouts/watch/network-glyph.tsx'
import { canonical, definitionOf, type Trigger } from '../model/definition.ts'
import { contractsOf, sourceOf } from '../model/spec-kinds.ts'
import { Subscribers } from '../subscribers/subscribers.tsx'
import { subscriptionWords } from '../subscribers/subscription-words.ts'
import { useSubscriptionCount } from '../subscribers/use-subscription-count.ts'
import { Runs } from './runs.tsx'
import classes from './trigger.module.css'
import { TriggerActions, versionsId } from './trigger-actions.tsx'
import { TriggerLogs } from './trigger-logs.tsx'
import { TriggerPipeline } from './trigger-pipeline.tsx'
import { Versions } from './versions.tsx'

export function TriggerPage() {
  const { workspace, trigger: fullname } = useParams({ from: '/shell/w/$workspace/triggers/$trigger' })
  const { data: entity, error, refetch } = useEntity('getTrigger', { fullname }, { pollMs: 15_000 })
  const sources = useSources()
  if (!entity) return error ? <ErrorNotice error={error} retry={() => void refetch()} /> : <PageLoading />
  if (sources.isLoading) return <PageLoading />
  const source = sources.find(sourceOf(entity.view.triggerSpec))
  return <OpenedTrigger {...{ workspace, entity, source }} />
}

type OpenedTriggerProps = { workspace: string; entity: Entity<Trigger>; source: Source | undefined }

function OpenedTrigger({ workspace, entity, source }: OpenedTriggerProps) {
  const trigger = entity.view
  const { level } = useWorkspace()
  const mayEdit = atLeast(level, 'developer')
  const { fullname } = trigger
  const subscriptions = useSubscriptionCount(mayEdit ? fullname : undefined)
  return (
    <Page
      title={trigger.meta.title}
      glyph={<NetworkGlyph source={source} title={trigger.meta.title} size={40} />}
      about={<StateLine trigger={trigger} />}
      breadcrumb={
        <LinkText to="/w/$workspace/triggers" params={{ workspace }}>
          Triggers
        </LinkText>
      }
      actions={<TriggerActions trigger={trigger} />}
    >
      <StackNotice workspace={trigger.workspace} kind="trigger" name={fullname} labels={trigger.labels} />
      <StatusNotice trigger={trigger} />
      <TriggerPipeline {...{ trigger, source, subscriptions }} mayRun={mayEdit} />
      <div className={classes.two} data-wide="true">
        <Firings fullname={fullname} />
        {mayEdit && (
          <div id={versionsId}>
            <Versions entity={entity} />
          </div>
        )}
      </div>
      <div className={classes.two}>
        <Section title="Subscribers">
          <Subscribers trigger={trigger} active={subscriptions} />
        </Section>
        <LastAlerts workspace={workspace} trigger={fullname} />
      </div>
      {mayEdit && <Runs fullname={fullname} />}
      {mayEdit && <TriggerLogs fullname={fullname} />}
      <Section title="Details">
        <TriggerFacts trigger={trigger} source={source} />
        <Details summary="Definition as JSON">
          <AddressJson value={canonical(definitionOf(trigger))} label="definition" maxHeight={420} source={source} />
        </Details>
      </Section>
      {mayEdit && <DeleteTrigger trigger={trigger} subscriptions={subscriptions} />}
    </Page>
  )
}

/** Status and last change, and the description. */
function StateLine({ trigger: { status, updatedAt, meta, fullname } }: { trigger: Trigger }) {
  return (
    <span title={fullname}>
      <Status value={status.status} /> · changed <RelativeTime at={updatedAt} />
      {meta.description && ` · ${meta.description}`}
    </span>
  )
}

function StatusNotice({ trigger: { status, issue } }: { trigger: Trigger }) {
  if (issue !== undefined) return <Notice tone="bad" title={issue} />
  if (status.status === 'ready' || status.status === 'not_tested') return null
  return (
    <Notice tone={status.status === 'broken' ? 'bad' : 'warn'} title={`Trigger status: ${status.status}`}>
      <Text size="sm">
        {status.issue ?? 'No reason given.'}
        {status.reasonCode && <code> {status.reasonCode}</code>}
      </Text>
    </Notice>
  )
}

function TriggerFacts({ trigger, source }: { trigger: Trigger; source: AddressSource | undefined }) {
  const { fullname, triggerSpec, project, workspace, hasDraft } = trigger
  const contracts = contractsOf(triggerSpec)
  const program = triggerSpec?.programId === undefined ? 'Contract' : 'Program'
  const shown: [string, ReactNode] = [program, <Contracts key="contracts" {...{ contracts, source }} />]
  return (
    <Facts
      facts={[
        [
          'Full name',
          <span key="fullname" className="mono">
            {fullname}
          </span>,
        ],
        [
          'Project',
          <LinkText key="project" to="/w/$workspace/projects/$project/triggers" params={{ workspace, project }}>
            {project}
          </LinkText>,
        ],
        ...(contracts.length === 0 ? [] : [shown]),
        ['Draft', hasDraft ? <Label key="draft">Unpublished draft</Label> : 'None'],
      ]}
    />
  )
}

const contractsMax = 5

function Contracts({ contracts, source }: { contracts: string[]; source: AddressSource | undefined }) {
  const more = contracts.length - contractsMax
  return (
    <>
      {contracts.slice(0, contractsMax).map((contract) => (
        <div key={contract}>
          <AddressText text={contract} source={source} />
        </div>
      ))}
      {more > 0 && `and ${more.toLocaleString('en')} more`}
    </>
  )
}

/** The end of the page: the one action that cannot be undone. */
function DeleteTrigger({ trigger, subscriptions }: { trigger: Trigger; subscriptions: number | undefined }) {
  const { fullname, workspace } = trigger
  const navigate = useNavigate()
  const remove = useChange('deleteTrigger', {
    notice: `${fullname} deleted.`,
    refetches: ['projects', 'templates', 'subscriptions'],
    after: () => navigate({ to: '/w/$workspace/triggers', params: { workspace } }),
  })
  return (
    <section className={classes.danger} aria-label="Delete this trigger">
      <div>
        <Text fw={550}>Delete this trigger</Text>
        <Text size="sm" c="dimmed">
          {stopWords(subscriptions)} Past alerts stay. You cannot undo this.
        </Text>
      </div>
      <ConfirmAction
        title={`Delete ${fullname}?`}
        text="Its subscribers receive no more alerts, and template rules that use it stop working. This cannot be undone."
        verb="Delete trigger"
        act={() => remove.mutateAsync({ fullname })}
      >
        {(open) => <DangerButton onClick={open}>Delete trigger…</DangerButton>}
      </ConfirmAction>
    </section>
  )
}

function stopWords(subscriptions: number | undefined): string {
  if (subscriptions === undefined) return 'Its subscriptions stop.'
  if (subscriptions === 0) return 'It has no active subscriptions.'
  return `${subscriptionWords(subscriptions)} ${subscriptions === 1 ? 'stops' : 'stop'}.`
}

/** How often the trigger fired, how many attempts to deliver failed, and how many deliveries were given up. */
function Firings({ fullname }: { fullname: string }) {
  const [range, setRange] = useState<CountsRange>('24h')
  const query = useApiQuery('getTriggerCounts', { fullname, query: { range } }, { pollMs: 30_000 })
  return (
    <Section
      title="Firings"
      actions={<RangeChoice label="Time range of the firings" range={range} choose={setRange} />}
    >
      <Loaded query={query} height={260}>
        {(counts) => <Chart counts={counts} />}
      </Loaded>
    </Section>
  )
}

function Chart({ counts }: { counts: Counts }) {
  const { recorded, delivered, failed, failedAttempts } = counts.total
  return (
    <>
      <Facts
        facts={[
          ['Fired', <Figure key="fired" size="card" value={recorded.toLocaleString('en')} />],
          ['Delivered', <Figure key="delivered" size="card" value={delivered.toLocaleString('en')} />],
          ['Failed attempts', <Figure key="attempts" size="card" value={failedAttempts.toLocaleString('en')} />],
          ['Given up', <Figure key="failed" size="card" value={failed.toLocaleString('en')} />],
        ]}
      />
      <Group mt="md" grow>
        <CountsBars counts={counts} height={180} />
      </Group>
    </>
  )
}

const shown = 6

/** The latest alerts of the trigger, with their outcome and the error of those that failed. */
function LastAlerts({ workspace, trigger }: { workspace: string; trigger: string }) {
  const { items, error, isLoading, reload } = useApiList(
    'listAlerts',
    { query: { trigger, limit: shown } },
    { pollMs: 15_000 },
  )
  const titles = useTitles(workspace)
  const sources = useSources()
  return (
    <Section
      title="Last alerts"
      actions={
        <LinkText to="/w/$workspace/alerts" params={{ workspace }} search={{ trigger }}>
          All alerts
        </LinkText>
      }
    >
      <ErrorNotice error={error} retry={reload} />
      {!isLoading && !error && items.length === 0 && <Text c="dimmed">No alerts yet.</Text>}
      <RichRows label="Last alerts">
        {items.slice(0, shown).map((alert) => (
          <AlertRow
            key={alert.id}
            {...{ workspace, alert, titles }}
            source={sources.find(alert.source)}
            state={<Status {...statusOf(alert)} />}
            details={(alert.retryError ?? alert.reason) && <div>{alert.retryError ?? alert.reason}</div>}
          />
        ))}
      </RichRows>
    </Section>
  )
}
