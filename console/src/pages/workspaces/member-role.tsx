import { Select } from '@mantine/core'
import { tellShortly } from '../../components/error-sentence.ts'
import { Label } from '../../components/status.tsx'
import type { Item } from '../../data/api.ts'
import { useChange } from '../../data/changes.ts'
import { warn } from '../../data/notices.ts'
import type { Level } from '../../data/workspace.ts'
import { levels, mayChange } from './levels.ts'

type MemberRoleProps = { member: Item<'listAcl'>; workspace: string; myLevel: Level }

/** A role, as a choice for those who may change it. */
export function MemberRole({ member, workspace, myLevel }: MemberRoleProps) {
  const change = useChange('saveAclEntry', { said: `The role of ${member.user.name} was changed.` })
  if (!mayChange(myLevel, member.level)) return <Label>{member.level}</Label>
  const offered = levels.filter(({ value }) => mayChange(myLevel, value))
  const choose = (level: Level) =>
    change.mutate({ workspace, entryId: member.id, body: { level } }, { onError: (error) => warn(tellShortly(error)) })
  return (
    <Select
      w={150}
      aria-label={`Role of ${member.user.name}`}
      data={offered}
      value={member.level}
      allowDeselect={false}
      disabled={change.isPending}
      onChange={(value) => value !== null && value !== member.level && choose(value)}
    />
  )
}
