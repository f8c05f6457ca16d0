import { useMemo } from 'react'
import { EmptyState } from '../../components/empty-state.tsx'
import { IconStack } from '../../components/icons.tsx'
import { LinkText } from '../../components/links.tsx'
import { Page } from '../../components/page.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { DataTable } from '../../components/table/data-table.tsx'
import type { Column } from '../../components/table/table-model.ts'
import type { Item } from '../../data/api.ts'
import { useApiList } from '../../data/lists.ts'
import { useWorkspace } from '../../data/workspace.ts'

/** The stacks of a workspace: definitions that are kept in files. */
export function StacksPage() {
  const { fullname: workspace } = useWorkspace()
  const list = useApiList('listStacks', { fullname: workspace, query: {} })
  const columns = useMemo(() => columnsFor(workspace), [workspace])
  return (
    <Page
      title="Stacks"
      about="Definitions of this workspace that are kept in files and applied with the command tocsin."
    >
      <DataTable
        label="Stacks"
        list={list}
        columns={columns}
        rowKey={({ stack }) => stack}
        empty={
          <EmptyState
            icon={IconStack}
            title="No stacks yet"
            text={
              <>
                Keep definitions in files and review them before they go live. Start with <code>tocsin init</code>, then{' '}
                <code>tocsin plan</code> and <code>tocsin apply</code>.
              </>
            }
          />
        }
      />
    </Page>
  )
}

function columnsFor(workspace: string): Column<Item<'listStacks'>>[] {
  return [
    {
      key: 'stack',
      header: 'Stack',
      value: ({ stack }) => stack,
      cell: ({ stack }) => (
        <LinkText to="/w/$workspace/stacks/$stack" params={{ workspace, stack }}>
          {stack}
        </LinkText>
      ),
    },
    { key: 'entities', header: 'Definitions', value: ({ entitiesCount }) => entitiesCount },
    {
      key: 'applied',
      header: 'Last applied',
      value: ({ appliedAt }) => appliedAt ?? '',
      cell: ({ appliedAt }) => (appliedAt === null ? 'Never' : <RelativeTime at={appliedAt} />),
    },
  ]
}
