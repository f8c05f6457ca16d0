import { useNavigate } from '@tanstack/react-router'
import { ConfirmAction } from '../../components/confirm-action.tsx'
import { DangerButton } from '../../components/danger-button.tsx'
import type { Item } from '../../data/api.ts'
import { useChange } from '../../data/changes.ts'
import type { Level } from '../../data/workspace.ts'
import { mayChange } from './levels.ts'

type MemberRemoveProps = { member: Item<'listAcl'>; workspace: string; myLevel: Level; isMe: boolean }

/** Everybody may leave; removing others is for those above them. */
export function MemberRemove({ member, workspace, myLevel, isMe }: MemberRemoveProps) {
  const navigate = useNavigate()
  const remove = useChange('deleteAclEntry', {
    said: isMe ? `You left ${workspace}.` : `${member.user.name} was removed.`,
    after: () => (isMe ? navigate({ to: '/' }) : undefined),
  })
  if (!isMe && !mayChange(myLevel, member.level)) return null
  const verb = isMe ? 'Leave' : 'Remove'
  return (
    <ConfirmAction
      title={isMe ? `Leave ${workspace}?` : `Remove ${member.user.name}?`}
      text={
        isMe ? 'You need a new invite to come back.' : 'They lose access at once and need a new invite to come back.'
      }
      verb={verb}
      act={() => remove.mutateAsync({ workspace, entryId: member.id })}
    >
      {(open) => (
        <DangerButton size="xs" onClick={open} aria-label={isMe ? 'Leave the workspace' : `Remove ${member.user.name}`}>
          {verb}
        </DangerButton>
      )}
    </ConfirmAction>
  )
}
