import { triggerSentence } from '../../sentences/sentence.ts'
import type { SaidTrigger } from '../../sentences/when-words.ts'
import { useSources } from '../address/use-sources.ts'
import { SentenceText } from './sentence-text.tsx'
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
