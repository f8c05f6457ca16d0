import { Button, Group, SegmentedControl } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { ConfirmAction } from '../../components/confirm-action.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { IconTransfer } from '../../components/icons.tsx'
import { LinkButton } from '../../components/links.tsx'
import { Page } from '../../components/page.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { Status, statusOptions } from '../../components/status.tsx'
import { DataTable } from '../../components/table/data-table.tsx'
import type { Column, Facet } from '../../components/table/table-model.ts'
import type { Item } from '../../data/api.ts'
import { useChange } from '../../data/changes.ts'
import { useApiList } from '../../data/lists.ts'
import { atLeast, useWorkspace } from '../../data/workspace.ts'
import { WorkspaceTabs } from '../../layouts/workspace-tabs.tsx'

type Direction = 'incoming' | 'outgoing'

const facets: Facet<Transfer>[] = [
  {
    label: 'Status',
    value: ({ status }) => status,
    options: statusOptions(['pending', 'accepted', 'rejected', 'cancelled', 'expired', 'failed']),
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
    { enabled: mayList, pollMs: 15_000 },
  )
  const columns = useMemo(() => columnsFor(direction, level === 'owner'), [direction, level])
  return (
    <Page title="Transfers" about="Requests to move projects to or from this workspace.">
      <WorkspaceTabs workspace={workspace} />
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
            empty={<NoTransfers direction={direction} workspace={workspace} />}
          />
        </>
      ) : (
        <EmptyState
          icon={IconTransfer}
          title="Owners and admins only"
          text="Only owners and admins of this workspace can see transfers."
        />
      )}
    </Page>
  )
}

function NoTransfers({ direction, workspace }: { direction: Direction; workspace: string }) {
  if (direction === 'incoming')
    return (
      <EmptyState
        icon={IconTransfer}
        title="No incoming transfers"
        text={`To receive a project, send its owner the workspace name “${workspace}”. The request appears here, and you can accept or reject it.`}
      />
    )
  return (
    <EmptyState
      icon={IconTransfer}
      title="No outgoing transfers"
      text="Open a project and choose Transfer to move it to another workspace."
    >
      <LinkButton to="/w/$workspace/projects" params={{ workspace }} variant="default">
        Go to projects
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
      header: 'Contents',
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
      header: 'Decided or expires',
      value: ({ decidedAt, expiresAt }) => decidedAt ?? expiresAt,
      cell: ({ decidedAt, expiresAt }) => <RelativeTime at={decidedAt ?? expiresAt} />,
    },
    {
      key: 'decide',
      header: 'Actions',
      value: () => '',
      isActions: true,
      cell: (transfer) =>
        isOwner && transfer.status === 'pending' ? (
          <TransferActions transfer={transfer} direction={direction} />
        ) : (
          (transfer.failureReason ?? transfer.reason ?? '')
        ),
    },
  ]
}

type Transfer = Item<'listTransferRequests'>

/** The actions of an owner on a pending request: accept and reject, or cancel. */
function TransferActions({ transfer, direction }: { transfer: Transfer; direction: 'incoming' | 'outgoing' }) {
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
