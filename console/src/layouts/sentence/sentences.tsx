import { Text } from '@mantine/core'
import { Fragment } from 'react'
import { Sentence, SentenceValue } from '../../components/patterns/sentence.tsx'
import { useApiList } from '../../data/lists.ts'
import { type Part, type SentenceParts, textOfParts } from '../../sentences/parts.ts'
import { type SaidSubscription, subscriptionSentence, triggerSentence } from '../../sentences/sentence.ts'
import type { SaidTrigger } from '../../sentences/when-words.ts'
import { AddressText } from '../address/address-text.tsx'
import { type AddressSource, useSources } from '../address/use-sources.ts'
import { useNames } from './use-names.ts'

type TriggerSentenceProps = {
  trigger: SaidTrigger
  /** The workspace of the reader, for the names of its things. */
  workspace?: string
  subscriptions?: number | undefined
  isRow?: boolean
}

/** What a trigger does, in one sentence. */
export function TriggerSentence({ trigger, workspace, subscriptions, isRow }: TriggerSentenceProps) {
  const names = useNames(workspace)
  const source = useSources().find(dataSourceOf(trigger))
  return <SentenceText parts={triggerSentence(trigger, names, subscriptions)} source={source} isRow={isRow} />
}

export function dataSourceOf({ triggerSpec }: SaidTrigger): string | undefined {
  return typeof triggerSpec?.dataSource === 'string' ? triggerSpec.dataSource : undefined
}

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

type SentenceTextProps = {
  parts: SentenceParts
  /** The source of the addresses in the sentence, which are shown by their names. */
  source: AddressSource | undefined
  /** A small line below a title, without highlights and buttons. */
  isRow?: boolean | undefined
}

function SentenceText({ parts, source, isRow = false }: SentenceTextProps) {
  const shown = placed(parts).map(({ part, at }) => {
    const text = <AddressText text={textOfParts([part])} source={source} isPlain />
    const isValue = typeof part !== 'string' && !isRow
    return <Fragment key={at}>{isValue ? <SentenceValue>{text}</SentenceValue> : text}</Fragment>
  })
  if (!isRow) return <Sentence>{shown}</Sentence>
  return (
    <Text size="sm" c="dimmed">
      {shown}
    </Text>
  )
}

/** Each part with its place, which identifies it. */
function placed(parts: SentenceParts): { part: Part; at: number }[] {
  return parts.map((part, at) => ({ part, at }))
}
