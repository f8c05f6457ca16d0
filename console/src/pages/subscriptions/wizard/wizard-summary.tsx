import { Text } from '@mantine/core'
import { SubscriptionSentence } from '../../../layouts/sentence/subscription-sentence.tsx'
import { payloadOf } from '../model/draft.ts'
import type { StepProps } from './step-props.ts'
import classes from './wizard.module.css'

/** The subscription as far as it is chosen, in a sentence beside the steps. */
export function WizardSummary({ workspace, draft }: StepProps) {
  const isChosen = draft.kind === 'trigger' ? draft.trigger !== '' : draft.topics.length > 0
  return (
    <aside className={classes.summary} aria-label="Your subscription">
      <Text size="sm" c="dimmed" mb="xs">
        Your subscription
      </Text>
      {isChosen ? (
        <SubscriptionSentence workspace={workspace} subscription={payloadOf(draft, workspace, undefined)} />
      ) : (
        <Text>Choose what to watch.</Text>
      )}
    </aside>
  )
}
