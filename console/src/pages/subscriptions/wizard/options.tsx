import { Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { IconChevronDown, IconSettings } from '../../../components/icons.tsx'
import { countWords } from '../../../components/numbers/count-words.ts'
import { Part } from '../../../components/patterns/part.tsx'
import { describePolicy } from '../model/policies.ts'
import { MessageField } from './message-field.tsx'
import { PolicyFields } from './policy-field.tsx'
import type { StepProps } from './step-props.ts'
import classes from './wizard.module.css'

/** How often, text, finality, start and title. They have good defaults, so they are folded until somebody opens them. */
export function Options({ hasIssue, ...props }: StepProps & { hasIssue: boolean }) {
  const { draft, change, errorOf } = props
  const [isOpen, setOpen] = useState(false)
  return (
    <details
      className={classes.options}
      open={isOpen || hasIssue}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>
        <IconSettings size={16} />
        <span className={classes.name}>Options</span> <span className={classes.about}>{summaryOf(draft)}</span>
        <span className={classes.chevron}>
          <IconChevronDown size={16} />
        </span>
      </summary>
      <Stack gap="lg" mt="md">
        <Part title="How often">
          <PolicyFields {...props} />
        </Part>
        <Part title="Message">
          <MessageField {...props} isShown={isOpen || hasIssue} />
        </Part>
        <TextInput
          label="Title of the subscription"
          description="Optional. Shown in the list of subscriptions."
          value={draft.title}
          onChange={(event) => change({ title: event.currentTarget.value })}
          error={errorOf('title')}
        />
      </Stack>
    </details>
  )
}

/** “Every time · default text · latest blocks” */
function summaryOf({ policy, overrides, finality, start }: StepProps['draft']): string {
  const often = policy.type === 'filter' ? 'Every time' : describePolicy(policy)
  const text = Object.keys(overrides).length === 0 ? 'default text' : 'own text'
  return [often, text, blockWords(finality), ...(start.from === 'next' ? [] : ['with past blocks'])].join(' · ')
}

function blockWords(finality: StepProps['draft']['finality']): string {
  if (typeof finality === 'object') return `after ${countWords(finality.confirmations, 'confirmation')}`
  return finality === 'safe' || finality === 'finalized' ? `${finality} blocks` : 'latest blocks'
}
