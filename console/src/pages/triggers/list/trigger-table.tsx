import { Text } from '@mantine/core'
import { useMemo } from 'react'
import { EmptyState } from '../../../components/empty-state.tsx'
import { IconPlus, IconTrigger } from '../../../components/icons.tsx'
import { LinkButton, LinkText } from '../../../components/links.tsx'
import { NameCell } from '../../../components/patterns/name-cell.tsx'
import { Label, Status, statusOptions } from '../../../components/status.tsx'
import { changedColumn } from '../../../components/table/changed-column.tsx'
import { DataTable } from '../../../components/table/data-table.tsx'
import type { Column, Facet } from '../../../components/table/table-model.ts'
import type { Item } from '../../../data/api.ts'
import { useApiList } from '../../../data/lists.ts'
import { type Sources, useSources } from '../../../layouts/address/use-sources.ts'
import { TriggerSentence } from '../../../layouts/sentence/sentences.tsx'
import { NetworkGlyph } from '../../../layouts/watch/network-glyph.tsx'
import { sourceOf, specLabel } from '../model/spec-kinds.ts'

type ListedTrigger = Item<'listTriggers'>

const statusFacet: Facet<ListedTrigger> = {
  label: 'Status',
  value: ({ status }) => status.status,
  options: statusOptions(['ready', 'not_tested', 'learning', 'warning', 'limited', 'blocked', 'broken']),
}

type TriggerTableProps = { workspace: string; project?: string; mayEdit: boolean }

/** The triggers of a workspace or of one project. */
export function TriggerTable({ workspace, project, mayEdit }: TriggerTableProps) {
  const list = useApiList('listTriggers', { query: project === undefined ? { workspace } : { project } })
  const { find } = useSources()
  const columns = useMemo(() => columnsFor(workspace, project === undefined, find), [workspace, project, find])
  const facets = useMemo(
    () => (project === undefined ? [statusFacet, projectFacet(list.items)] : [statusFacet]),
    [project, list.items],
  )
  return (
    <DataTable
      label="Triggers"
      list={list}
      columns={columns}
      facets={facets}
      rowKey={({ fullname }) => fullname}
      empty={
        <EmptyState
          icon={IconTrigger}
          title="No triggers yet"
          text={
            mayEdit
              ? 'A trigger watches a chain and creates alerts. Start from an example, such as a token transfer or a timer.'
              : 'A developer of this workspace can create the first trigger.'
          }
        >
          {mayEdit && <NewTriggerButton workspace={workspace} project={project} />}
        </EmptyState>
      }
    />
  )
}

export function NewTriggerButton({ workspace, project }: { workspace: string; project?: string | undefined }) {
  return (
    <LinkButton
      to="/w/$workspace/triggers/new"
      params={{ workspace }}
      search={project === undefined ? {} : { project }}
      leftSection={<IconPlus />}
    >
      Create trigger
    </LinkButton>
  )
}

function projectFacet(triggers: ListedTrigger[]): Facet<ListedTrigger> {
  const projects = [...new Set(triggers.map(({ project }) => project))].sort()
  return {
    label: 'Project',
    value: ({ project }) => project,
    options: projects.map((value) => ({ value, label: value })),
  }
}

function columnsFor(workspace: string, hasProject: boolean, find: Sources['find']): Column<ListedTrigger>[] {
  const project: Column<ListedTrigger> = { key: 'project', header: 'Project', value: (trigger) => trigger.project }
  return [
    {
      key: 'title',
      header: 'Trigger',
      value: ({ meta, fullname }) => `${meta.title} ${fullname}`,
      cell: (trigger) => (
        <NameCell
          fullname={trigger.fullname}
          glyph={<NetworkGlyph source={find(sourceOf(trigger.triggerSpec))} title={trigger.meta.title} />}
          name={
            <>
              <LinkText to="/w/$workspace/triggers/$trigger" params={{ workspace, trigger: trigger.fullname }} fw={550}>
                {trigger.meta.title}
              </LinkText>{' '}
              {trigger.hasDraft && <Label>Draft</Label>}
            </>
          }
          about={<TriggerSentence workspace={workspace} trigger={trigger} isRow />}
        />
      ),
    },
    {
      key: 'status',
      header: 'Status',
      value: ({ status }) => status.status,
      cell: ({ status, issue }) => (
        <div>
          <Status value={status.status} />
          {issue && (
            <Text size="xs" c="dimmed">
              {issue}
            </Text>
          )}
        </div>
      ),
    },
    { key: 'kind', header: 'Kind', value: ({ triggerSpec }) => specLabel(triggerSpec) },
    ...(hasProject ? [project] : []),
    changedColumn,
  ]
}
