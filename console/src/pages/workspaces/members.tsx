import { Group, Text } from '@mantine/core'
import { useMemo } from 'react'
import { EmptyState } from '../../components/empty-state.tsx'
import { IconUsers } from '../../components/icons.tsx'
import { Page } from '../../components/page.tsx'
import { Picture } from '../../components/picture.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { DataTable } from '../../components/table/data-table.tsx'
import type { Column, Facet } from '../../components/table/table-model.ts'
import type { Item } from '../../data/api.ts'
import { useApiList } from '../../data/lists.ts'
import { useMe } from '../../data/session.ts'
import { useWorkspace } from '../../data/use-workspace.ts'
import { atLeast } from '../../data/workspace.ts'
import { WorkspaceTabs } from '../../layouts/workspace-tabs.tsx'
import { InvitationsSection } from './invitations.tsx'
import { InviteSection } from './invite.tsx'
import { levels } from './levels.ts'
import { MemberRemove } from './member-remove.tsx'
import { MemberRole } from './member-role.tsx'

type Member = Item<'listAcl'>

const facets: Facet<Member>[] = [{ label: 'Role', value: ({ level }) => level, options: levels }]

export function MembersPage() {
  const workspace = useWorkspace()
  const { data: me } = useMe()
  const list = useApiList('listAcl', { workspace: workspace.fullname })
  const { fullname, level } = workspace
  const columns = useMemo(() => columnsFor(fullname, level, me?.id), [fullname, level, me?.id])
  return (
    <Page title={workspace.meta.title ?? fullname} about="Members and roles.">
      <WorkspaceTabs workspace={fullname} />
      {atLeast(level, 'admin') && <InvitationsSection fullname={fullname} myLevel={level} />}
      {atLeast(level, 'admin') && <InviteSection fullname={fullname} />}
      <DataTable
        label="Members"
        list={list}
        columns={columns}
        facets={facets}
        rowKey={({ id }) => id}
        empty={
          <EmptyState icon={IconUsers} title="No members" text="Send the invite link to people who should join." />
        }
      />
    </Page>
  )
}

function columnsFor(workspace: string, level: Member['level'], myId: string | undefined): Column<Member>[] {
  return [
    {
      key: 'name',
      header: 'Name',
      value: ({ user }) => `${user.name} ${user.email ?? ''}`,
      cell: ({ user }) => <Person user={user} isMe={user.id === myId} />,
    },
    {
      key: 'role',
      header: 'Role',
      value: (member) => member.level,
      cell: (member) => <MemberRole member={member} workspace={workspace} myLevel={level} />,
    },
    {
      key: 'joined',
      header: 'Joined',
      value: ({ createdAt }) => createdAt,
      cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
    },
    {
      key: 'remove',
      header: 'Remove',
      value: () => '',
      isActions: true,
      cell: (member) => (
        <MemberRemove member={member} workspace={workspace} myLevel={level} isMe={member.user.id === myId} />
      ),
    },
  ]
}

function Person({ user, isMe }: { user: Member['user']; isMe: boolean }) {
  return (
    <Group gap="sm" wrap="nowrap">
      <Picture url={user.avatar} name={user.name} size={30} />
      <div>
        <Text size="sm" fw={500}>
          {user.name}
          {isMe && ' (you)'}
        </Text>
        {user.email && (
          <Text size="sm" c="dimmed">
            {user.email}
          </Text>
        )}
      </div>
    </Group>
  )
}
