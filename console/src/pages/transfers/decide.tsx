import { Button, Group } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { ConfirmAction } from '../../components/confirm-action.tsx'
import type { Item } from '../../data/api.ts'
import { useChange } from '../../data/changes.ts'

export type Transfer = Item<'listTransferRequests'>

/** What the owner on this side may do with a pending request. */
export function Decide({ transfer, direction }: { transfer: Transfer; direction: 'incoming' | 'outgoing' }) {
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
    said: `${targetFullname} is yours now.`,
    touches: ['projects', 'triggers', 'templates', 'resources', 'subscriptions'],
    after: () =>
      navigate({
        to: '/w/$workspace/projects/$project',
        params: { workspace: targetWorkspace, project: targetFullname },
      }),
  })
  return (
    <ConfirmAction
      title={`Accept ${project}?`}
      text={`It becomes ${targetFullname} with ${counts.triggers} triggers, ${counts.templates} templates, ${counts.resources} resources and ${counts.subscriptions} subscriptions. Old names go on working as aliases. This cannot be undone.`}
      verb="Accept and move"
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
  const reject = useChange('rejectTransfer', { said: 'The request was rejected.' })
  return (
    <ConfirmAction
      title={`Reject ${project}?`}
      text="The project stays where it is. Its owner can ask again."
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
  const cancel = useChange('cancelTransfer', { said: 'The request was taken back.' })
  return (
    <ConfirmAction
      title="Take the request back?"
      text={`${project} stays where it is.`}
      verb="Take it back"
      act={() => cancel.mutateAsync({ id })}
    >
      {(open) => (
        <Button size="xs" variant="default" onClick={open} aria-label={`Cancel the transfer of ${project}`}>
          Cancel
        </Button>
      )}
    </ConfirmAction>
  )
}
