import { Group, Text } from '@mantine/core'
import { ErrorNotice } from '../../../components/error-notice.tsx'
import { LinkText } from '../../../components/links.tsx'
import { Status } from '../../../components/status.tsx'
import type { Item } from '../../../data/api.ts'
import { useApiList } from '../../../data/lists.ts'
import type { Resource } from '../../../layouts/destination/blueprints.ts'
import { ChannelGlyph } from '../../../layouts/destination/channel-glyph.tsx'
import { HealthStatus, isFailing, useDestinations } from '../../../layouts/destination/health.tsx'
import { modeWords, policyWords } from '../../../sentences/policy-words.ts'
import type { Trigger } from '../model/definition.ts'
import classes from './subscribers.module.css'
import { subscriptionWords } from './subscription-words.ts'

type Subscription = Item<'listSubscriptions'>

type SubscribersProps = {
  trigger: Pick<Trigger, 'fullname' | 'workspace'>
  /** How many active subscriptions there are; undefined if this is not known, or if the reader may not know it. */
  active: number | undefined
}

/** The subscriptions of a trigger that the reader may see, with their destinations and how these work. */
export function Subscribers({ trigger: { fullname, workspace }, active }: SubscribersProps) {
  const { items, error, isLoading, reload } = useApiList('listSubscriptions', { query: { trigger: fullname } })
  const { items: destinations } = useDestinations(workspace)
  const seen = items.filter(({ status }) => status === 'active').length
  const others = (active ?? seen) - seen
  return (
    <>
      <ErrorNotice error={error} retry={reload} />
      {!isLoading && !error && items.length === 0 && others <= 0 && (
        <Text c="dimmed">
          {active === undefined
            ? 'You have no subscription to this trigger.'
            : 'No subscriptions yet. The trigger runs when it has an active subscription.'}
        </Text>
      )}
      <ul className={classes.list} aria-label="Subscribers">
        {items.map((subscription) => (
          <Subscriber key={subscription.id} subscription={subscription} destinations={destinations} />
        ))}
      </ul>
      {others > 0 && (
        <Text size="sm" c="dimmed" mt="xs">
          {subscriptionWords(others)} of other people.
        </Text>
      )}
    </>
  )
}

function Subscriber({ subscription, destinations }: { subscription: Subscription; destinations: Resource[] }) {
  const { id, workspace, meta, account, policy, delivery, resources } = subscription
  const own = destinations.filter(({ fullname }) => resources.includes(fullname))
  const often = policy && policy.type !== 'filter' ? policyWords(policy) : (modeWords(delivery ?? {}) ?? 'every time')
  return (
    <li className={classes.row}>
      <div className={classes.words}>
        <LinkText to="/w/$workspace/subscriptions/$subscription" params={{ workspace, subscription: id }} fw={550}>
          {meta.title ?? account?.name ?? 'Your subscription'}
        </LinkText>
        <Text size="sm" c="dimmed">
          {often.charAt(0).toUpperCase() + often.slice(1)}
        </Text>
      </div>
      <Group gap="xs" wrap="nowrap">
        {own.map(({ fullname, blueprint, meta: { title } }) => (
          <ChannelGlyph key={fullname} blueprint={blueprint} label={title ?? fullname} />
        ))}
      </Group>
      <div className={classes.state}>
        <SubscriberState subscription={subscription} destinations={own} />
      </div>
    </li>
  )
}

type SubscriberStateProps = { subscription: Subscription; destinations: Resource[] }

/** The reader may not see the destinations, if they are in another workspace. Then only the subscription's own status is known. */
function SubscriberState({ subscription: { status, resources }, destinations }: SubscriberStateProps) {
  if (status === 'paused') return <Status value="paused" />
  if (resources.length === 0) return <Status value="ok" label="In app only" />
  const worst = destinations.find(isFailing) ?? destinations[0]
  return worst ? <HealthStatus resource={worst} /> : <Status value={status} />
}
