import { Text } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { noResourceIssue } from '@tocsin/contract'
import { LinkButton } from '../../components/link-button.tsx'
import { LinkText } from '../../components/link-text.tsx'
import { Notice } from '../../components/notice.tsx'
import { Facts, Page, Section } from '../../components/page.tsx'
import { PageFailure } from '../../components/page-failure.tsx'
import { PageLoading } from '../../components/page-loading.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { Status } from '../../components/status.tsx'
import { useApiQuery } from '../../data/queries.ts'
import { useTitles } from '../../layouts/alert/use-titles.ts'
import type { Resource } from '../../layouts/destination/blueprints.ts'
import { HealthStatus, useDestinations } from '../../layouts/destination/health.tsx'
import { SubscriptionSentence } from '../../layouts/sentence/subscription-sentence.tsx'
import { StackNotice } from '../../layouts/stack-notice.tsx'
import { TriggerName } from '../../layouts/trigger-name.tsx'
import { describeHistory, isOwn, nameOf, type Subscription } from './model/subscription.ts'
import { Settings } from './settings.tsx'
import { SubscriptionActions } from './subscription-actions.tsx'
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
