import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { ConfirmAction } from '../../components/confirm-action.tsx'
import { DangerButton } from '../../components/danger-button.tsx'
import { LinkButton } from '../../components/link-button.tsx'
import { useChange } from '../../data/changes.ts'
import { warn } from '../../data/notices.ts'
import { nameOf, type Subscription } from './model/subscription.ts'

export function SubscriptionActions({ subscription }: { subscription: Subscription }) {
  const { id, workspace, status } = subscription
  const navigate = useNavigate()
  const pause = useChange('pauseSubscription', { said: 'Paused. No alerts until you resume it.' })
  const resume = useChange('resumeSubscription', { said: 'Resumed.' })
  const remove = useChange('deleteSubscription', {
    said: 'The subscription was deleted.',
    after: () => navigate({ to: '/w/$workspace/subscriptions', params: { workspace } }),
  })
  const turn = status === 'active' ? pause : resume
  return (
    <>
      <Button
        variant="default"
        loading={turn.isPending}
        onClick={() => turn.mutate({ id }, { onError: (error) => warn(error.message) })}
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
        title={`Delete ${nameOf(subscription)}?`}
        text="It makes no further alerts. Its past alerts stay in the feed."
        verb="Delete subscription"
        act={() => remove.mutateAsync({ id })}
      >
        {(open) => <DangerButton onClick={open}>Delete</DangerButton>}
      </ConfirmAction>
    </>
  )
}
