import { useNavigate } from '@tanstack/react-router'
import { ConfirmAction } from '../../components/confirm-action.tsx'
import { DangerButton } from '../../components/danger-button.tsx'
import { useChange } from '../../data/changes.ts'
import type { Resource } from '../../layouts/destination/blueprints.ts'

export function DeleteResource({ resource: { fullname, workspace } }: { resource: Resource }) {
  const navigate = useNavigate()
  const remove = useChange('deleteResource', {
    notice: `${fullname} deleted.`,
    refetches: ['subscriptions', 'alerts'],
    after: () => navigate({ to: '/w/$workspace/resources', params: { workspace } }),
  })
  return (
    <ConfirmAction
      title={`Delete ${fullname}?`}
      text="Subscriptions no longer send alerts to this destination, and queued deliveries are dropped. This cannot be undone."
      verb="Delete destination"
      typed={fullname}
      act={() => remove.mutateAsync({ fullname })}
    >
      {(open) => <DangerButton onClick={open}>Delete</DangerButton>}
    </ConfirmAction>
  )
}
