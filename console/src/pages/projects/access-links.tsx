import { useMemo } from 'react'
import { ConfirmAction } from '../../components/confirm-action.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import { DangerButton } from '../../components/danger-button.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { IconLink } from '../../components/icons.tsx'
import { LinkButton } from '../../components/link-button.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { Status, statusOptions } from '../../components/status.tsx'
import { DataTable } from '../../components/table/data-table.tsx'
import type { Column, Facet } from '../../components/table/table-model.ts'
import type { Item } from '../../data/api.ts'
import { useChange } from '../../data/changes.ts'
import { useApiList } from '../../data/lists.ts'
import { accessOf, type Project } from '../../layouts/project/access.ts'
import { ProjectLayout } from '../../layouts/project/project-layout.tsx'
import { NewAccessLink } from './new-access-link.tsx'
import { shareLink } from './share-link.ts'

type AccessLink = Item<'listAccessLinks'>

const facets: Facet<AccessLink>[] = [
  {
    label: 'Status',
    value: ({ state }) => state,
    options: statusOptions(['active', 'revoked', 'expired', 'exhausted']),
  },
]

export function AccessLinksPage() {
  return (
    <ProjectLayout>
      {({ view }) => (view.accessLevel === 'private' ? <Links project={view} /> : <NotPrivate project={view} />)}
    </ProjectLayout>
  )
}

function NotPrivate({ project: { fullname, workspace } }: { project: Project }) {
  return (
    <EmptyState
      icon={IconLink}
      title="This project needs no access links"
      text="Everyone can see this project already. Access links are for private projects. To make the project private, change its access."
    >
      <LinkButton
        to="/w/$workspace/projects/$project/settings"
        params={{ workspace, project: fullname }}
        variant="default"
      >
        Open settings
      </LinkButton>
    </EmptyState>
  )
}

function Links({ project }: { project: Project }) {
  const { fullname } = project
  const list = useApiList('listAccessLinks', { fullname })
  const columns = useMemo(() => columnsFor(fullname), [fullname])
  const hint =
    accessOf(project) === 'personal' ? ' Links take effect when the access of the project is “Private, by link”.' : ''
  return (
    <>
      <div>
        <NewAccessLink fullname={fullname} />
      </div>
      <DataTable
        label="Access links"
        list={list}
        columns={columns}
        facets={facets}
        rowKey={({ id }) => id}
        empty={
          <EmptyState
            icon={IconLink}
            title="No access links yet"
            text={`Create a link and send it to people outside the workspace. Anyone with the link can see the project and subscribe.${hint}`}
          />
        }
      />
    </>
  )
}

function columnsFor(fullname: string): Column<AccessLink>[] {
  return [
    { key: 'state', header: 'Status', value: ({ state }) => state, cell: ({ state }) => <Status value={state} /> },
    {
      key: 'uses',
      header: 'Uses',
      value: ({ usages }) => usages,
      cell: ({ usages, maxUsages }) => (maxUsages === undefined ? `${usages}` : `${usages} of ${maxUsages}`),
    },
    {
      key: 'expires',
      header: 'Expires',
      value: ({ expiresAt }) => expiresAt ?? '',
      cell: ({ expiresAt }) => (expiresAt ? <RelativeTime at={expiresAt} /> : 'Never'),
    },
    {
      key: 'created',
      header: 'Created',
      value: ({ createdAt }) => createdAt,
      cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
    },
    {
      key: 'actions',
      header: 'Actions',
      value: () => '',
      isActions: true,
      cell: (link) => <Actions link={link} fullname={fullname} />,
    },
  ]
}

function Actions({ link, fullname }: { link: AccessLink; fullname: string }) {
  const revoke = useChange('deleteAccessLink', { notice: 'Access link revoked.' })
  if (link.state !== 'active') return null
  return (
    <>
      <CopyButton value={shareLink(link.token)} what="link" />
      <ConfirmAction
        title="Revoke this link?"
        text="Nobody can open the link any more. Accounts that opened it before keep their access."
        verb="Revoke link"
        act={() => revoke.mutateAsync({ fullname, id: link.id })}
      >
        {(open) => (
          <DangerButton size="xs" onClick={open}>
            Revoke
          </DangerButton>
        )}
      </ConfirmAction>
    </>
  )
}
