import { SegmentedControl } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { EmptyState } from '../../components/empty-state.tsx'
import { IconTransfer } from '../../components/icons.tsx'
import { LinkButton } from '../../components/link-button.tsx'
import { Page } from '../../components/page.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { Status } from '../../components/status.tsx'
import { DataTable } from '../../components/table/data-table.tsx'
import type { Column, Facet } from '../../components/table/table-model.ts'
import { useApiList } from '../../data/lists.ts'
import { useWorkspace } from '../../data/use-workspace.ts'
import { atLeast } from '../../data/workspace.ts'
import { Decide, type Transfer } from './decide.tsx'

type Direction = 'incoming' | 'outgoing'

const facets: Facet<Transfer>[] = [
  {
    label: 'Status',
    value: ({ status }) => status,
    options: ['pending', 'accepted', 'rejected', 'cancelled', 'expired', 'failed'].map((status) => ({
      value: status,
      label: status,
    })),
  },
]

export function TransfersPage() {
  const { fullname: workspace, level } = useWorkspace()
  const { direction = 'incoming' } = useSearch({ from: '/shell/w/$workspace/transfers' })
  const navigate = useNavigate()
  const setDirection = (next: Direction) =>
    void navigate({
      to: '/w/$workspace/transfers',
      params: { workspace },
      search: next === 'outgoing' ? { direction: next } : {},
      replace: true,
    })
  const mayList = atLeast(level, 'admin')
  const list = useApiList(
    'listTransferRequests',
    { query: { workspace, direction } },
    { enabled: mayList, everyMs: 15_000 },
  )
  const columns = useMemo(() => columnsFor(direction, level === 'owner'), [direction, level])
  return (
    <Page title="Transfers" about="Projects offered to this workspace, and those it offers to others.">
      {mayList ? (
        <>
          <SegmentedControl
            aria-label="Direction"
            value={direction}
            onChange={setDirection}
            data={[
              { value: 'incoming', label: 'Incoming' },
              { value: 'outgoing', label: 'Outgoing' },
            ]}
            style={{ alignSelf: 'flex-start' }}
          />
          <DataTable
            label="Transfer requests"
            list={list}
            columns={columns}
            facets={facets}
            rowKey={({ id }) => id}
            empty={<Nothing direction={direction} workspace={workspace} />}
          />
        </>
      ) : (
        <EmptyState
          icon={IconTransfer}
          title="For owners and admins"
          text="Ask an admin of this workspace if you expect a project to be moved."
        />
      )}
    </Page>
  )
}

function Nothing({ direction, workspace }: { direction: Direction; workspace: string }) {
  if (direction === 'incoming')
    return (
      <EmptyState
        icon={IconTransfer}
        title="No incoming transfers"
        text={`To receive a project, give its owner the name “${workspace}”. The request appears here for you to accept or reject.`}
      />
    )
  return (
    <EmptyState
      icon={IconTransfer}
      title="No outgoing transfers"
      text="Open a project and choose Transfer to hand it to another workspace."
    >
      <LinkButton to="/w/$workspace/projects" params={{ workspace }} variant="default">
        Go to the projects
      </LinkButton>
    </EmptyState>
  )
}

function columnsFor(direction: Direction, isOwner: boolean): Column<Transfer>[] {
  return [
    {
      key: 'project',
      header: 'Project',
      value: ({ project, targetFullname }) => `${project} ${targetFullname}`,
      cell: ({ project, targetFullname }) => (
        <span className="mono">
          {project} → {targetFullname}
        </span>
      ),
    },
    { key: 'status', header: 'Status', value: ({ status }) => status, cell: ({ status }) => <Status value={status} /> },
    {
      key: 'size',
      header: 'Holds',
      value: ({ counts }) => counts.triggers,
      cell: ({ counts }) => `${counts.triggers} triggers, ${counts.subscriptions} subscriptions`,
    },
    {
      key: 'requested',
      header: 'Requested',
      value: ({ createdAt }) => createdAt,
      cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
    },
    {
      key: 'ends',
      header: 'Ends',
      value: ({ decidedAt, expiresAt }) => decidedAt ?? expiresAt,
      cell: ({ decidedAt, expiresAt }) => <RelativeTime at={decidedAt ?? expiresAt} />,
    },
    {
      key: 'decide',
      header: 'Decide',
      value: () => '',
      isActions: true,
      cell: (transfer) =>
        isOwner && transfer.status === 'pending' ? (
          <Decide transfer={transfer} direction={direction} />
        ) : (
          (transfer.failureReason ?? transfer.reason ?? '')
        ),
    },
  ]
}
