import { useMemo } from 'react'
import { Status } from '../../components/status.tsx'
import { DataTable } from '../../components/table/data-table.tsx'
import type { Column, Facet } from '../../components/table/table-model.ts'
import { type Drift, type Entity, EntityName, isSame, kindLabels } from './entities.tsx'

const facets: Facet<Entity>[] = [
  {
    label: 'Kind',
    value: ({ kind }) => kind,
    options: Object.entries(kindLabels).map(([value, label]) => ({ value, label })),
  },
]

/** The definitions that a stack manages. */
export function EntityTable({ workspace, entities, drift }: { workspace: string; entities: Entity[]; drift: Drift[] }) {
  const columns = useMemo(() => columnsFor(workspace, drift), [workspace, drift])
  const list = {
    items: entities,
    isLoading: false,
    error: null,
    hasMore: false,
    isLoadingMore: false,
    loadMore: () => undefined,
    reload: () => undefined,
  }
  return (
    <DataTable
      label="Definitions"
      list={list}
      columns={columns}
      facets={facets}
      rowKey={({ kind, fullname }) => `${kind} ${fullname}`}
      empty={null}
    />
  )
}

function columnsFor(workspace: string, drift: Drift[]): Column<Entity>[] {
  const isChanged = (entity: Entity) => drift.some((changed) => isSame(changed, entity))
  return [
    { key: 'kind', header: 'Kind', value: ({ kind }) => kindLabels[kind] },
    {
      key: 'name',
      header: 'Name',
      value: ({ fullname }) => fullname,
      cell: (entity) => <EntityName workspace={workspace} entity={entity} />,
    },
    {
      key: 'drift',
      header: 'Since the last apply',
      value: (entity) => (isChanged(entity) ? 'Changed' : 'Unchanged'),
      cell: (entity) =>
        isChanged(entity) ? <Status value="warning" label="Changed" /> : <Status value="ok" label="Unchanged" />,
    },
  ]
}
