import { Button, Text } from '@mantine/core'
import { useNavigate, useParams } from '@tanstack/react-router'
import { noResourceIssue } from '@tocsin/contract'
import type { ReactNode } from 'react'
import { ConfirmAction, DangerButton } from '../../components/confirm-action.tsx'
import { JsonView } from '../../components/json-view.tsx'
import { LinkButton, LinkText } from '../../components/links.tsx'
import { PageFailure } from '../../components/loaded.tsx'
import { Notice } from '../../components/notice.tsx'
import { Facts, Page, Section } from '../../components/page.tsx'
import { PageLoading } from '../../components/page-loading.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { Status } from '../../components/status.tsx'
import { useChange } from '../../data/changes.ts'
import { notifyError } from '../../data/notices.ts'
import { useApiQuery } from '../../data/queries.ts'
import { isObject } from '../../forms/json.ts'
import { useTitles } from '../../layouts/alert/use-titles.ts'
import type { Resource } from '../../layouts/destination/blueprints.ts'
import { HealthStatus, useDestinations } from '../../layouts/destination/health.tsx'
import { SubscriptionSentence } from '../../layouts/sentence/sentences.tsx'
import { StackNotice } from '../../layouts/stack-notice.tsx'
import { TriggerName } from '../../layouts/trigger-name.tsx'
import { conditionWords } from '../../sentences/condition-words.ts'
import { severityWords } from '../../sentences/severity-words.ts'
import { describeHistory, isOwn, nameOf, type Subscription } from './model/subscription.ts'
import { TestSection } from './test-message/test-section.tsx'

export function SubscriptionPage() {
  const { workspace, subscription: id } = useParams({ from: '/shell/w/$workspace/subscriptions/$subscription' })
  const titles = useTitles(workspace)
  const { data: subscription, error, refetch } = useApiQuery('getSubscription', { id }, { pollMs: 15_000 })
  if (!subscription)
    return error ? <PageFailure title="Subscription" error={error} retry={() => void refetch()} /> : <PageLoading />
  const own = isOwn(subscription)
  return (
    <Page
      title={nameOf(subscription, titles.trigger)}
      about={
        subscription.account && `Owned by ${subscription.account.name}. Only the owner can change this subscription.`
      }
      breadcrumb={
        <LinkText to="/w/$workspace/subscriptions" params={{ workspace }}>
          Subscriptions
        </LinkText>
      }
      actions={
        <>
          <LinkButton to="/w/$workspace/alerts" params={{ workspace }} search={{ subscription: id }} variant="default">
            Show alerts
          </LinkButton>
          {own && <SubscriptionActions subscription={subscription} />}
        </>
      }
    >
      <StackNotice workspace={workspace} kind="subscription" name={subscription.key} labels={subscription.labels} />
      {subscription.issue && (
        <Notice tone={subscription.issue === noResourceIssue ? 'info' : 'warn'} title={subscription.issue} />
      )}
      <SubscriptionSentence workspace={workspace} subscription={subscription} />
      <Section title="Status">
        <SubscriptionStatus workspace={workspace} subscription={subscription} />
      </Section>
      {own && <TestSection subscription={subscription} />}
      <Section title="Settings">
        <Settings subscription={subscription} />
      </Section>
    </Page>
  )
}

function SubscriptionStatus({ workspace, subscription }: { workspace: string; subscription: Subscription }) {
  const { status, project, trigger, topics, resources, history, createdAt, updatedAt } = subscription
  const { items: destinations } = useDestinations(workspace)
  const titles = useTitles(workspace)
  return (
    <Facts
      facts={[
        ['Status', <Status key="status" value={status} />],
        [
          'Project',
          <span key="project" className="mono">
            {project}
          </span>,
        ],
        trigger === undefined
          ? ['Topics', topics?.join(', ') ?? '–']
          : ['Trigger', <TriggerName key="trigger" workspace={workspace} trigger={trigger} />],
        ...(history ? [['History', describeHistory(history)] satisfies [string, string]] : []),
        [
          'Delivers to',
          resources.length === 0
            ? 'App only'
            : resources.map((resource) => (
                <div key={resource}>
                  <LinkText to="/w/$workspace/resources/$resource" params={{ workspace, resource }} title={resource}>
                    {titles.destination(resource)}
                  </LinkText>
                  <Health destination={destinations.find(({ fullname }) => fullname === resource)} />
                </div>
              )),
        ],
        ['Created', <RelativeTime key="created" at={createdAt} />],
        ['Changed', <RelativeTime key="changed" at={updatedAt} />],
      ]}
    />
  )
}

function Health({ destination }: { destination: Resource | undefined }) {
  if (!destination) return null
  return (
    <>
      {' '}
      <HealthStatus resource={destination} />
      {destination.health?.lastError && (
        <Text size="sm" c="dimmed">
          {destination.health.lastError}
        </Text>
      )}
    </>
  )
}

function SubscriptionActions({ subscription }: { subscription: Subscription }) {
  const { id, workspace, status } = subscription
  const navigate = useNavigate()
  const titles = useTitles(workspace)
  const pause = useChange('pauseSubscription', { notice: 'Subscription paused.' })
  const resume = useChange('resumeSubscription', { notice: 'Subscription resumed.' })
  const remove = useChange('deleteSubscription', {
    notice: 'Subscription deleted.',
    after: () => navigate({ to: '/w/$workspace/subscriptions', params: { workspace } }),
  })
  const toggle = status === 'active' ? pause : resume
  return (
    <>
      <Button
        variant="default"
        loading={toggle.isPending}
        onClick={() => toggle.mutate({ id }, { onError: (error) => notifyError(error.message) })}
      >
        {status === 'active' ? 'Pause' : 'Resume'}
      </Button>
      <LinkButton
        to="/w/$workspace/subscriptions/$subscription/edit"
        params={{ workspace, subscription: id }}
        variant="default"
      >
        Edit
      </LinkButton>
      <ConfirmAction
        title={`Delete ${nameOf(subscription, titles.trigger)}?`}
        text="The subscription creates no more alerts. Past alerts stay in the feed."
        verb="Delete subscription"
        act={() => remove.mutateAsync({ id })}
      >
        {(open) => <DangerButton onClick={open}>Delete</DangerButton>}
      </ConfirmAction>
    </>
  )
}

const overrideLabels = [
  ['title', 'Title of the message'],
  ['short', 'Short text'],
  ['long', 'Long text'],
  ['severity', 'Severity'],
  ['icon', 'Icon'],
  ['cover', 'Cover'],
  ['avatar', 'Avatar'],
] as const

/** The values, filters and texts that the subscription sets, in words. */
function Settings({ subscription }: { subscription: Subscription }) {
  const { values, inputs, conditions, overrides } = subscription
  const given = Object.entries(values ?? inputs ?? {})
  const facts: [string, ReactNode][] = [
    ...given.map(([name, value]): [string, ReactNode] => [name, <Value key={name} value={value} />]),
    ...(isObject(conditions) ? [['Only if', conditionWords(conditions)] satisfies [string, string]] : []),
    ...overrideLabels.flatMap(([name, label]): [string, ReactNode][] => {
      const text = overrides?.[name]
      if (text === undefined) return []
      return [[label, typeof text === 'string' ? <Template key={name} text={text} /> : severityWords(text)]]
    }),
    ...(overrides?.links ?? []).map(({ title, url }): [string, ReactNode] => [
      `Link “${title}”`,
      <Template key={title} text={url} />,
    ]),
  ]
  if (facts.length === 0) return <Text c="dimmed">All alerts of the trigger. No filters are set.</Text>
  return <Facts facts={facts} />
}

function Value({ value }: { value: unknown }) {
  if (isPlain(value)) return <span className="mono">{String(value)}</span>
  if (Array.isArray(value) && value.every(isPlain)) return <span className="mono">{value.join(', ')}</span>
  return <JsonView value={value} label="value" />
}

function isPlain(value: unknown): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value)
}

/** A text with placeholders, as it was written. */
function Template({ text }: { text: string }) {
  return <span style={{ whiteSpace: 'pre-wrap' }}>{text}</span>
}
