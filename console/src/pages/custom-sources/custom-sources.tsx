import { useMemo } from 'react'
import { EmptyState } from '../../components/empty-state.tsx'
import { IconPlus, IconSource } from '../../components/icons.tsx'
import { LinkButton, LinkText } from '../../components/links.tsx'
import { Page } from '../../components/page.tsx'
import { NameCell } from '../../components/patterns/name-cell.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { Status } from '../../components/status.tsx'
import { DataTable } from '../../components/table/data-table.tsx'
import type { Column, Facet } from '../../components/table/table-model.ts'
import type { Item } from '../../data/api.ts'
import { chainOptions, chainTitle, listChains } from '../../data/chains.ts'
import { useApiList } from '../../data/lists.ts'
import { useApiQuery } from '../../data/queries.ts'
import { atLeast, useWorkspace } from '../../data/workspace.ts'
import { type Sources, useSources } from '../../layouts/address/use-sources.ts'
import { SourceSpark } from '../../layouts/source/source-spark.tsx'
import { NetworkGlyph } from '../../layouts/watch/network-glyph.tsx'
import { joinWords, withArticle } from '../../sentences/parts.ts'
import { statuses, statusWords } from './kinds.ts'
import { SourceTabs } from './source-tabs.tsx'

type ListedSource = Item<'listCustomSources'>

const makeFacets = (): Facet<ListedSource>[] => [
  { label: 'Kind', value: ({ kind }) => kind, options: chainOptions() },
  { label: 'Status', value: ({ status }) => status.status, options: statuses },
]

/** “an EVM, Substrate or Solana network” */
function networkKinds(): string {
  const titles = listChains().map(({ title }) => title)
  return withArticle(`${joinWords(titles, 'or')} network`)
}

export function CustomSourcesPage() {
  const { fullname: workspace, level } = useWorkspace()
  const list = useApiList('listCustomSources', { query: { workspace } }, { pollMs: 10_000 })
  const { data: capability } = useApiQuery('getCustomSourceCreateCapability', {})
  const { find } = useSources()
  const columns = useMemo(() => columnsFor(workspace, find), [workspace, find])
  const facets = useMemo(makeFacets, [])
  const mayCreate = atLeast(level, 'developer') && capability?.canCreateCustomSources !== false
  const create = mayCreate && (
    <LinkButton to="/w/$workspace/sources/new" params={{ workspace }} leftSection={<IconPlus />}>
      Create source
    </LinkButton>
  )
  return (
    <Page title="Sources" about="Chains that this service follows through your RPC endpoints." actions={create}>
      <SourceTabs workspace={workspace} />
      <DataTable
        label="Sources"
        list={list}
        columns={columns}
        facets={facets}
        rowKey={({ fullname }) => fullname}
        empty={
          <EmptyState
            icon={IconSource}
            title="No sources yet"
            text={
              mayCreate
                ? `Create a source with the RPC endpoint of ${networkKinds()}. Triggers can then listen to it. Timers need no source.`
                : 'A developer of this workspace can create the first source. Timers need no source.'
            }
          >
            {create}
          </EmptyState>
        }
      />
    </Page>
  )
}

function columnsFor(workspace: string, find: Sources['find']): Column<ListedSource>[] {
  return [
    {
      key: 'title',
      header: 'Source',
      value: ({ meta, fullname }) => `${meta.title} ${fullname}`,
      cell: ({ meta, fullname, kind }) => (
        <NameCell
          fullname={fullname}
          glyph={<NetworkGlyph source={find(fullname) ?? { kind, title: meta.title, network: '' }} />}
          name={
            <LinkText to="/w/$workspace/sources/$source" params={{ workspace, source: fullname }} fw={550}>
              {meta.title}
            </LinkText>
          }
          about={chainTitle(kind)}
        />
      ),
    },
    {
      key: 'status',
      header: 'Status',
      value: ({ status }) => status.status,
      cell: ({ status: { status } }) => <Status value={status} label={statusWords(status)} />,
    },
    {
      key: 'age',
      header: 'Block age (1 h)',
      value: ({ fullname }) => find(fullname)?.lag ?? -1,
      cell: ({ fullname, status: { status } }) => <SourceSpark source={{ fullname, status }} />,
    },
    { key: 'who', header: 'Visible to', value: (source) => (source.public ? 'Everyone' : 'This workspace') },
    {
      key: 'since',
      header: 'Status changed',
      value: ({ status }) => status.updatedAt,
      cell: ({ status }) => <RelativeTime at={status.updatedAt} />,
    },
  ]
}
