import { useNavigate } from '@tanstack/react-router'
import { ConfirmAction } from '../../components/confirm-action.tsx'
import { DangerButton } from '../../components/danger-button.tsx'
import type { Item } from '../../data/api.ts'
import { useChange } from '../../data/changes.ts'
import type { Level } from '../../data/workspace.ts'
import { mayChange } from './levels.ts'

type MemberRemoveProps = { member: Item<'listAcl'>; workspace: string; myLevel: Level; isMe: boolean }

/** Every member may leave. Only owners and admins may remove others. */
export function MemberRemove({ member, workspace, myLevel, isMe }: MemberRemoveProps) {
  const navigate = useNavigate()
  const remove = useChange('deleteAclEntry', {
    notice: isMe ? `You left ${workspace}.` : `${member.user.name} removed.`,
    after: () => (isMe ? navigate({ to: '/' }) : undefined),
  })
  if (!isMe && !mayChange(myLevel, member.level)) return null
  const verb = isMe ? 'Leave' : 'Remove'
  return (
    <ConfirmAction
      title={isMe ? `Leave ${workspace}?` : `Remove ${member.user.name}?`}
      text={isMe ? 'You need a new invite to return.' : 'They lose access immediately and need a new invite to return.'}
      verb={verb}
      act={() => remove.mutateAsync({ workspace, entryId: member.id })}
    >
      {(open) => (
        <DangerButton size="xs" onClick={open} aria-label={isMe ? 'Leave workspace' : `Remove ${member.user.name}`}>
          {verb}
        </DangerButton>
      )}
    </ConfirmAction>
  )
}
