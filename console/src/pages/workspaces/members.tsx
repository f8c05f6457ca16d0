import { Button, Group, Select, Text, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { ConfirmAction, DangerButton } from '../../components/confirm-action.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import { describeErrorBriefly } from '../../components/describe-error.ts'
import { EmptyState } from '../../components/empty-state.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { IconRefresh, IconUsers } from '../../components/icons.tsx'
import { Page, Section } from '../../components/page.tsx'
import { Picture } from '../../components/picture.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { Label } from '../../components/status.tsx'
import { DataTable } from '../../components/table/data-table.tsx'
import type { Column, Facet } from '../../components/table/table-model.ts'
import type { Item } from '../../data/api.ts'
import { useChange } from '../../data/changes.ts'
import { useApiList } from '../../data/lists.ts'
import { notifyError } from '../../data/notices.ts'
import { useApiQuery } from '../../data/queries.ts'
import { useMe } from '../../data/session.ts'
import { atLeast, type Level, useWorkspace } from '../../data/workspace.ts'
import { WorkspaceTabs } from '../../layouts/workspace-tabs.tsx'
import { InvitationsSection } from './invitations.tsx'
import { levels, mayChange } from './levels.ts'

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

type MemberRoleProps = { member: Item<'listAcl'>; workspace: string; myLevel: Level }

/** The role of a member, as a select if the user may change it. */
function MemberRole({ member, workspace, myLevel }: MemberRoleProps) {
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

type MemberRemoveProps = { member: Item<'listAcl'>; workspace: string; myLevel: Level; isMe: boolean }

/** Every member may leave. Only owners and admins may remove others. */
function MemberRemove({ member, workspace, myLevel, isMe }: MemberRemoveProps) {
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

/** The invite link, for owners and admins. */
function InviteSection({ fullname }: { fullname: string }) {
  const { data: workspace, error } = useApiQuery('getWorkspace', { fullname })
  const reset = useChange('saveWorkspace', { notice: 'New invite link created. The old link no longer works.' })
  if (error) return <ErrorNotice error={error} />
  if (!workspace?.invite) return null
  const { tags, labels, meta } = workspace
  const link = inviteLink(fullname, workspace.invite)
  return (
    <Section title="Invite with a link" about="Anyone with this link can join the workspace with the role user.">
      <Group align="flex-end" gap="xs">
        <TextInput
          flex="1 1 260px"
          label="Invite link"
          value={link}
          readOnly
          onFocus={(event) => event.currentTarget.select()}
        />
        <CopyButton value={link} what="link" isWide />
        <ConfirmAction
          title="Create a new invite link?"
          text="The current link stops working. People who already joined stay members."
          verb="Create new link"
          act={() => reset.mutateAsync({ fullname, body: { fullname, tags, labels, meta, resetInvite: true } })}
        >
          {(open) => (
            <Button variant="default" leftSection={<IconRefresh />} onClick={open}>
              Create new link
            </Button>
          )}
        </ConfirmAction>
      </Group>
      <Text size="sm" c="dimmed" mt="xs">
        Send it only to people you trust. It works until you create a new one.
      </Text>
    </Section>
  )
}

/** The invite is in the fragment, which browsers do not send, so no server logs it. */
function inviteLink(workspace: string, invite: string): string {
  return `${location.origin}/join/${workspace}#${invite}`
}
