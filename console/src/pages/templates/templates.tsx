import { Group } from '@mantine/core'
import { useMemo } from 'react'
import { EmptyState } from '../../components/empty-state.tsx'
import { IconPlus, IconTemplate } from '../../components/icons.tsx'
import { LinkButton, LinkText } from '../../components/links.tsx'
import { Label, Status } from '../../components/status.tsx'
import { changedColumn } from '../../components/table/changed-column.tsx'
import { DataTable } from '../../components/table/data-table.tsx'
import type { Column } from '../../components/table/table-model.ts'
import type { Item } from '../../data/api.ts'
import { useApiList } from '../../data/lists.ts'
import { atLeast } from '../../data/workspace.ts'
import type { Project } from '../../layouts/project/access.ts'
import { ProjectLayout } from '../../layouts/project/project-layout.tsx'

type ListedTemplate = Item<'listTemplates'>

export function TemplatesPage() {
  return <ProjectLayout>{({ view }) => <Templates project={view} />}</ProjectLayout>
}

function Templates({ project: { fullname, workspace, level } }: { project: Project }) {
  const list = useApiList('listTemplates', { fullname })
  const columns = useMemo(() => columnsFor(workspace, fullname), [workspace, fullname])
  const create = atLeast(level, 'developer') && (
    <LinkButton
      to="/w/$workspace/projects/$project/templates/new"
      params={{ workspace, project: fullname }}
      leftSection={<IconPlus />}
    >
      Create template
    </LinkButton>
  )
  return (
    <>
      {list.items.length > 0 && create && <Group justify="flex-end">{create}</Group>}
      <DataTable
        label="Templates"
        list={list}
        columns={columns}
        rowKey={({ id }) => id}
        empty={
          <EmptyState
            icon={IconTemplate}
            title="No templates yet"
            text="A template offers topics to subscribers and connects them to triggers."
          >
            {create}
          </EmptyState>
        }
      />
    </>
  )
}

function columnsFor(workspace: string, project: string): Column<ListedTemplate>[] {
  return [
    {
      key: 'title',
      header: 'Template',
      value: ({ meta }) => meta.title,
      cell: ({ id, meta, root }) => (
        <div>
          <LinkText
            to="/w/$workspace/projects/$project/templates/$template"
            params={{ workspace, project, template: id }}
            fw={550}
          >
            {meta.title}
          </LinkText>{' '}
          {root && <Label>root</Label>}
        </div>
      ),
    },
    { key: 'topics', header: 'Topics', value: ({ topics }) => topics.length },
    { key: 'rules', header: 'Rules', value: ({ rules }) => rules.length },
    {
      key: 'state',
      header: 'Status',
      value: ({ issue, rules }) => issue ?? rules.find((rule) => rule.issue)?.issue ?? 'ok',
      cell: ({ issue, rules }) => {
        const problem = issue ?? rules.find((rule) => rule.issue)?.issue
        return problem ? <Status value="warning" label={problem} /> : <Status value="ok" label="OK" />
      },
    },
    changedColumn,
  ]
}
