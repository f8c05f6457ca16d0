import { Button, Group, Skeleton, Stack, Text } from '@mantine/core'
import { noResourceIssue } from '@tocsin/contract'
import { type ReactNode, useEffect, useEffectEvent } from 'react'
import { ErrorNotice } from '../../../components/error-notice.tsx'
import { LinkButton } from '../../../components/links.tsx'
import { Notice } from '../../../components/notice.tsx'
import { useChange } from '../../../data/changes.ts'
import { SubscriptionSentence } from '../../../layouts/sentence/sentences.tsx'
import { useTestMessage } from '../../../layouts/test-message/use-test-message.ts'
import type { Subscription } from '../model/subscription.ts'
import { isMatch, TestResult } from '../test-message/test-result.tsx'
import { SendSample } from '../test-message/test-section.tsx'
import type { StepName } from './steps.ts'

type PreviewStepProps = { subscription: Subscription; go: (step: StepName) => void }

/** The subscription as a sentence, and its message for a sample. It is saved, and paused until the user activates it here. */
export function PreviewStep({ subscription, go }: PreviewStepProps) {
  const { id, resources, status, project, workspace } = subscription
  const test = useTestMessage(id)
  const resume = useChange('resumeSubscription')
  const show = useEffectEvent(() => test.mutate({ deliver: false }))
  useEffect(() => show(), [])
  if (resume.isSuccess || status === 'active')
    return (
      <Done
        subscription={resume.data ?? subscription}
        isChanged={!resume.isSuccess}
        result={test.data && isMatch(test.data) && <TestResult result={test.data} project={project} />}
      />
    )
  return (
    <Stack gap="md">
      <SubscriptionSentence workspace={workspace} subscription={subscription} />
      {test.isPending && (
        <div role="status">
          <Text size="sm" c="dimmed" mb="xs">
            Running the trigger on its sample or on the latest matching item.
          </Text>
          <Skeleton height={90} />
        </div>
      )}
      <SilenceNotice subscription={subscription} />
      <ErrorNotice error={test.error ?? resume.error} />
      {test.data && <TestResult result={test.data} project={project} />}
      <Text size="sm" c="dimmed">
        The subscription is saved and paused.
      </Text>
      <Group gap="xs">
        <Button loading={resume.isPending} onClick={() => resume.mutate({ id })}>
          Activate
        </Button>
        {resources.length > 0 && (
          <SendSample count={resources.length} send={() => test.mutateAsync({ deliver: true })} />
        )}
        <Button variant="default" onClick={() => go('what')}>
          Edit
        </Button>
      </Group>
    </Stack>
  )
}

type DoneProps = {
  subscription: Pick<Subscription, 'id' | 'workspace' | 'issue'>
  isChanged: boolean
  result: ReactNode
}

/** Something keeps the alerts from coming. Without a resource they still appear in the app. */
function hasTrouble({ issue }: Pick<Subscription, 'issue'>): boolean {
  return issue !== undefined && issue !== noResourceIssue
}

function SilenceNotice({ subscription }: { subscription: Pick<Subscription, 'issue'> }) {
  if (!hasTrouble(subscription)) return null
  return (
    <Notice tone="bad" title="As it is, this subscription does not work">
      <Text size="sm">{subscription.issue}</Text>
    </Notice>
  )
}

function Done({ subscription, isChanged, result }: DoneProps) {
  const { id, workspace } = subscription
  return (
    <Stack gap="md">
      {hasTrouble(subscription) ? (
        <SilenceNotice subscription={subscription} />
      ) : (
        <Notice tone="good" title={isChanged ? 'Subscription saved' : 'You are subscribed'}>
          <Text size="sm">
            {isChanged
              ? 'The change applies from now on.'
              : 'The next match appears in the feed and is sent to your destinations.'}
          </Text>
        </Notice>
      )}
      {result}
      <Group gap="xs">
        <LinkButton to="/w/$workspace/alerts" params={{ workspace }} search={{ subscription: id }}>
          Show alerts
        </LinkButton>
        <LinkButton
          to="/w/$workspace/subscriptions/$subscription"
          params={{ workspace, subscription: id }}
          variant="default"
        >
          Open subscription
        </LinkButton>
      </Group>
    </Stack>
  )
}
