import { Button, Group } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { ConfirmAction } from '../../components/confirm-action.tsx'
import type { Item } from '../../data/api.ts'
import { useChange } from '../../data/changes.ts'

export type Transfer = Item<'listTransferRequests'>

/** The actions of an owner on a pending request: accept and reject, or cancel. */
export function TransferActions({ transfer, direction }: { transfer: Transfer; direction: 'incoming' | 'outgoing' }) {
  return (
    <Group gap={6} wrap="nowrap" justify="flex-end">
      {direction === 'incoming' ? (
        <>
          <Accept transfer={transfer} />
          <Reject transfer={transfer} />
        </>
      ) : (
        <Cancel transfer={transfer} />
      )}
    </Group>
  )
}

function Accept({ transfer }: { transfer: Transfer }) {
  const navigate = useNavigate()
  const { id, project, targetFullname, targetWorkspace, counts } = transfer
  const accept = useChange('acceptTransfer', {
    notice: `Transfer accepted. The project is now ${targetFullname}.`,
    refetches: ['projects', 'triggers', 'templates', 'resources', 'subscriptions'],
    after: () =>
      navigate({
        to: '/w/$workspace/projects/$project',
        params: { workspace: targetWorkspace, project: targetFullname },
      }),
  })
  return (
    <ConfirmAction
      title={`Accept ${project}?`}
      text={`The project becomes ${targetFullname} with ${counts.triggers} triggers, ${counts.templates} templates, ${counts.resources} destinations and ${counts.subscriptions} subscriptions. Old names still work as aliases. This cannot be undone.`}
      verb="Accept transfer"
      isDestructive={false}
      act={() => accept.mutateAsync({ id })}
    >
      {(open) => (
        <Button size="xs" onClick={open} aria-label={`Accept ${project}`}>
          Accept
        </Button>
      )}
    </ConfirmAction>
  )
}

function Reject({ transfer: { id, project } }: { transfer: Transfer }) {
  const reject = useChange('rejectTransfer', { notice: 'Transfer request rejected.' })
  return (
    <ConfirmAction
      title={`Reject ${project}?`}
      text="The project does not move. Its owner can send another request."
      verb="Reject"
      act={() => reject.mutateAsync({ id })}
    >
      {(open) => (
        <Button size="xs" variant="default" onClick={open} aria-label={`Reject ${project}`}>
          Reject
        </Button>
      )}
    </ConfirmAction>
  )
}

function Cancel({ transfer: { id, project } }: { transfer: Transfer }) {
  const cancel = useChange('cancelTransfer', { notice: 'Transfer request cancelled.' })
  return (
    <ConfirmAction
      title="Cancel the transfer request?"
      text={`${project} does not move.`}
      verb="Cancel request"
      act={() => cancel.mutateAsync({ id })}
    >
      {(open) => (
        <Button size="xs" variant="default" onClick={open} aria-label={`Cancel transfer of ${project}`}>
          Cancel request
        </Button>
      )}
    </ConfirmAction>
  )
}
