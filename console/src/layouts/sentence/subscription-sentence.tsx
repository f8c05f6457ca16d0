import { useApiList } from '../../data/lists.ts'
import { type SaidSubscription, subscriptionSentence } from '../../sentences/sentence.ts'
import { useSources } from '../address/use-sources.ts'
import { SentenceText } from './sentence-text.tsx'
import { dataSourceOf } from './trigger-sentence.tsx'
import { useNames } from './use-names.ts'

type SubscriptionSentenceProps = { subscription: SaidSubscription; workspace: string; isRow?: boolean }

/** What a subscription sends, when and where, in one sentence. */
export function SubscriptionSentence({ subscription, workspace, isRow }: SubscriptionSentenceProps) {
  const names = useNames(workspace)
  const { find } = useSources()
  const { items } = useApiList('listTriggers', { query: { project: subscription.project } })
  const trigger = items.find(({ fullname }) => fullname === subscription.trigger)
  const source = find(trigger && dataSourceOf(trigger))
  return <SentenceText parts={subscriptionSentence(subscription, trigger, names)} source={source} isRow={isRow} />
}
