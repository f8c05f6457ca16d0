import { useSearch } from '@tanstack/react-router'
import { ErrorNotice } from '../../../components/error-notice.tsx'
import { LinkText } from '../../../components/links.tsx'
import { Page } from '../../../components/page.tsx'
import { PageLoading } from '../../../components/page-loading.tsx'
import { listChains } from '../../../data/chains.ts'
import { useApiList } from '../../../data/lists.ts'
import { useWorkspace } from '../../../data/workspace.ts'
import { NoSource } from '../goal/no-source.tsx'
import { type Source, sortSources } from '../model/source.ts'
import { AddressBar } from './address-bar.tsx'
import { viewOf } from './chain-views.ts'
import { GoalsFor } from './goals-for.tsx'

/** From an address to alerts: what it is, what it emits, and a button on each. */
export function AddressPage() {
  const { fullname: workspace } = useWorkspace()
  const { source: wanted, address = '' } = useSearch({ from: '/shell/w/$workspace/watch/address' })
  const list = useApiList('listRuntimeSources', {})
  const sources = sortSources(list.items)
  const source = sources.find(({ fullname }) => fullname === wanted) ?? sources[0]
  return (
    <Page
      title="Watch an address"
      about="Paste an address to see what it is, what it does, and get alerts about it."
      breadcrumb={
        <LinkText to="/w/$workspace/watch" params={{ workspace }}>
          Watch
        </LinkText>
      }
    >
      <ErrorNotice error={list.error} retry={list.reload} />
      {list.isLoading && <PageLoading />}
      {!list.isLoading && !source && <NoSource kinds={listChains().map(({ kind }) => kind)} />}
      {source && (
        <AddressBar key={`${source.fullname} ${address}`} sources={sources} source={source} address={address} />
      )}
      {source && address !== '' && (
        <Shown key={`shown ${source.fullname} ${address}`} source={source} address={address} />
      )}
    </Page>
  )
}

/** The goals or the starting points of a chain without a page of its own. */
function Shown({ source, address }: { source: Source; address: string }) {
  const { Shown = GoalsFor } = viewOf(source.kind) ?? {}
  return <Shown source={source} address={address} />
}
