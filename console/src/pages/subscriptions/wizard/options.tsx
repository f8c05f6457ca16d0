import { Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useEffect, useEffectEvent, useState } from 'react'
import { ErrorNotice } from '../../../components/error-notice.tsx'
import { IconChevronDown, IconSettings } from '../../../components/icons.tsx'
import { countWords } from '../../../components/numbers/count-words.ts'
import { Part } from '../../../components/patterns/part.tsx'
import { MessageFields } from '../../../layouts/message/message-fields.tsx'
import { describePolicy } from '../../../layouts/policy/policy-draft.ts'
import { useTestMessage } from '../../../layouts/test-message/use-test-message.ts'
import type { Draft } from '../model/draft.ts'
import { TestResult } from '../test-message/test-result.tsx'
import { PolicyFields } from './policy-field.tsx'
import { type StepProps, triggerOf } from './steps.ts'
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

type MessageFieldProps = StepProps & {
  /** The options are open. While they are folded, the preview does not run the trigger. */
  isShown: boolean
}

/** Message texts that replace the trigger's for this subscription. */
function MessageField({ draft, change, projectData, errorOf, savedId, isShown }: MessageFieldProps) {
  const { overrides } = draft
  const put = (name: string, value: unknown) => {
    const { [name]: _before, ...rest } = overrides
    change({ overrides: value === undefined ? rest : { ...rest, [name]: value } })
  }
  return (
    <Stack gap="md">
      <Text size="sm">
        Leave a field empty to use the text of the trigger. Your text applies to this subscription only.
      </Text>
      <MessageFields
        value={overrides}
        put={put}
        fallback={triggerOf(draft, projectData)?.defaults ?? {}}
        errorOf={(path) => errorOf(`overrides.${path}`)}
      />
      {savedId === undefined ? (
        <Text size="sm" c="dimmed">
          The next step shows the message on each channel.
        </Text>
      ) : (
        isShown && <OverridesPreview id={savedId} project={draft.project} overrides={overrides} />
      )}
    </Stack>
  )
}

const debounceMs = 600
type OverridesPreviewProps = { id: string; project: string; overrides: Draft['overrides'] }

/** The message of a saved subscription with the texts that are being typed, on each channel. */
function OverridesPreview({ id, project, overrides }: OverridesPreviewProps) {
  const test = useTestMessage(id)
  const [typed] = useDebouncedValue(overrides, debounceMs)
  const show = useEffectEvent((overrides: Draft['overrides']) => test.mutate({ deliver: false, overrides }))
  useEffect(() => show(typed), [typed])
  return (
    <section aria-label="Message preview" aria-busy={test.isPending || typed !== overrides}>
      <ErrorNotice error={test.error} />
      {test.data && <TestResult result={test.data} project={project} />}
    </section>
  )
}
