import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { ConfirmAction } from '../../components/confirm-action.tsx'
import { DangerButton } from '../../components/danger-button.tsx'
import { LinkButton } from '../../components/link-button.tsx'
import { useChange } from '../../data/changes.ts'
import { notifyError } from '../../data/notices.ts'
import { useTitles } from '../../layouts/alert/use-titles.ts'
import { nameOf, type Subscription } from './model/subscription.ts'

export function SubscriptionActions({ subscription }: { subscription: Subscription }) {
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
