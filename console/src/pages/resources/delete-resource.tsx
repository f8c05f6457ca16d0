import { useNavigate } from '@tanstack/react-router'
import { useChange } from '../../data/changes.ts'
import type { Resource } from '../../frames/destination/blueprints.ts'
import { ConfirmAction } from '../../parts/confirm-action.tsx'
import { DangerButton } from '../../parts/danger-button.tsx'

export function DeleteResource({ resource: { fullname, workspace } }: { resource: Resource }) {
  const navigate = useNavigate()
  const remove = useChange('deleteResource', {
    said: `${fullname} was deleted.`,
    touches: ['subscriptions', 'alerts'],
    after: () => navigate({ to: '/w/$workspace/resources', params: { workspace } }),
  })
  return (
    <ConfirmAction
      title={`Delete ${fullname}?`}
      text="Subscriptions stop sending to it, and queued deliveries are dropped. This cannot be undone."
      verb="Delete resource"
      typed={fullname}
      act={() => remove.mutateAsync({ fullname })}
    >
      {(open) => <DangerButton onClick={open}>Delete</DangerButton>}
    </ConfirmAction>
  )
}
