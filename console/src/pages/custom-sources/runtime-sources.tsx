import { useMemo } from 'react'
import { EmptyState } from '../../components/empty-state.tsx'
import { IconSource } from '../../components/icons.tsx'
import { LinkText } from '../../components/links.tsx'
import { Page } from '../../components/page.tsx'
import { NameCell } from '../../components/patterns/name-cell.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { Status } from '../../components/status.tsx'
import { DataTable } from '../../components/table/data-table.tsx'
import type { Column, Facet } from '../../components/table/table-model.ts'
import type { Item } from '../../data/api.ts'
import { chainOptions, chainTitle } from '../../data/chains.ts'
import { useApiList } from '../../data/lists.ts'
import { useWorkspace } from '../../data/workspace.ts'
import { SourceSpark } from '../../layouts/source/source-spark.tsx'
import { NetworkGlyph } from '../../layouts/watch/network-glyph.tsx'
import { statuses, statusWords } from './kinds.ts'
import { SourceTabs } from './source-tabs.tsx'

type RuntimeSource = Item<'listRuntimeSources'>
const number = new Intl.NumberFormat('en')
const numberOr = (value: number | undefined) => (value === undefined ? '–' : number.format(value))

const makeFacets = (): Facet<RuntimeSource>[] => [
  { label: 'Kind', value: ({ kind }) => kind, options: chainOptions() },
  { label: 'Status', value: ({ status }) => status, options: statuses },
]

function columnsFor(workspace: string): Column<RuntimeSource>[] {
  return [
    {
      key: 'title',
      header: 'Source',
      value: ({ title, fullname }) => `${title} ${fullname}`,
      cell: (source) => (
        <NameCell
          fullname={source.fullname}
          glyph={<NetworkGlyph source={source} />}
          name={
            <LinkText to="/w/$workspace/sources/$source" params={{ workspace, source: source.fullname }} fw={550}>
              {source.title}
            </LinkText>
          }
          about={chainTitle(source.kind)}
        />
      ),
    },
    {
      key: 'status',
      header: 'Status',
      value: ({ status }) => status,
      cell: ({ status, configured }) => <Status value={status} label={statusWords(status, configured)} />,
    },
    {
      key: 'age',
      header: 'Block age (1 h)',
      value: ({ lag }) => lag ?? -1,
      cell: (source) => <SourceSpark source={source} />,
    },
    {
      key: 'block',
      header: 'Processed block',
      value: ({ processedBlock }) => processedBlock ?? -1,
      cell: ({ processedBlock }) => numberOr(processedBlock),
    },
    { key: 'lag', header: 'Lag', value: ({ lag }) => lag ?? -1, cell: ({ lag }) => numberOr(lag) },
    { key: 'errors', header: 'Errors (last hour)', value: ({ errorsLastHour }) => errorsLastHour },
    {
      key: 'updated',
      header: 'Updated',
      value: ({ updatedAt }) => updatedAt,
      cell: ({ updatedAt }) => <RelativeTime at={updatedAt} />,
    },
  ]
}

/** All sources that triggers of this account can use, with their status. */
export function RuntimeSourcesPage() {
  const { fullname: workspace } = useWorkspace()
  const list = useApiList('listRuntimeSources', {}, { pollMs: 5_000 })
  const columns = useMemo(() => columnsFor(workspace), [workspace])
  const facets = useMemo(makeFacets, [])
  return (
    <Page title="Sources" about="Chains that this service follows.">
      <SourceTabs workspace={workspace} />
      <DataTable
        label="Sources for triggers"
        list={list}
        columns={columns}
        facets={facets}
        rowKey={({ fullname }) => fullname}
        empty={
          <EmptyState
            icon={IconSource}
            title="No sources yet"
            text="Create a source in this workspace, or ask the operator to configure an endpoint for a public network."
          />
        }
      />
    </Page>
  )
}
