import { Select } from '@mantine/core'
import { describeErrorBriefly } from '../../components/describe-error.ts'
import { Label } from '../../components/status.tsx'
import type { Item } from '../../data/api.ts'
import { useChange } from '../../data/changes.ts'
import { notifyError } from '../../data/notices.ts'
import type { Level } from '../../data/workspace.ts'
import { levels, mayChange } from './levels.ts'

type MemberRoleProps = { member: Item<'listAcl'>; workspace: string; myLevel: Level }

/** The role of a member, as a select if the user may change it. */
export function MemberRole({ member, workspace, myLevel }: MemberRoleProps) {
  const change = useChange('saveAclEntry', { notice: `Role of ${member.user.name} changed.` })
  if (!mayChange(myLevel, member.level)) return <Label>{member.level}</Label>
  const offered = levels.filter(({ value }) => mayChange(myLevel, value))
  const choose = (level: Level) =>
    change.mutate(
      { workspace, entryId: member.id, body: { level } },
      { onError: (error) => notifyError(describeErrorBriefly(error)) },
    )
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
