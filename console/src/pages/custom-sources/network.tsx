import type { ReactNode } from 'react'
import { EmptyState } from '../../components/empty-state.tsx'
import { IconSource } from '../../components/icons.tsx'
import { LinkText } from '../../components/links.tsx'
import { PageFailure } from '../../components/loaded.tsx'
import { Notice } from '../../components/notice.tsx'
import { ExternalLink, Facts, Page, Section } from '../../components/page.tsx'
import { PageLoading } from '../../components/page-loading.tsx'
import { Status } from '../../components/status.tsx'
import { chainTitle } from '../../data/chains.ts'
import { useApiList } from '../../data/lists.ts'
import type { Source } from '../../layouts/address/use-sources.ts'
import { NetworkGlyph } from '../../layouts/watch/network-glyph.tsx'
import { statusWords } from './kinds.ts'
import { SourceHistory } from './source-history.tsx'

const pollMs = 10_000
const number = (value: number | undefined) => (value === undefined ? '–' : value.toLocaleString('en'))

/** A built-in network: how the service follows it. Only the operator can change it. */
export function NetworkPage({ workspace, fullname }: { workspace: string; fullname: string }) {
  const { items, isLoading, error, reload } = useApiList('listRuntimeSources', {}, { pollMs })
  const network = items.find((one) => one.fullname === fullname)
  if (isLoading) return <PageLoading />
  if (error) return <PageFailure title="Source" error={error} retry={reload} />
  if (!network)
    return <EmptyState isPage icon={IconSource} title="Source not found" text={`No network is named ${fullname}.`} />
  return <OpenedNetwork workspace={workspace} network={network} />
}

function OpenedNetwork({ workspace, network }: { workspace: string; network: Source }) {
  const { fullname, title, status, configured, kind, lag, latestBlock, processedBlock, errorsLastHour } = network
  return (
    <Page
      title={title}
      glyph={<NetworkGlyph source={network} size={40} />}
      about={
        <span title={fullname}>
          <Status value={status} label={statusWords(status, configured)} />
        </span>
      }
      breadcrumb={
        <LinkText to="/w/$workspace/sources/runtime" params={{ workspace }}>
          Sources
        </LinkText>
      }
    >
      {!configured && (
        <Notice tone="info" title="No endpoint is configured">
          Triggers on {title} cannot run. The operator sets an endpoint in the file that SOURCES_FILE names, or you
          create a source of your own.
        </Notice>
      )}
      <Section title="Status">
        <Facts
          facts={[
            ['Status', <Status key="status" value={status} label={statusWords(status, configured)} />],
            ['Kind', chainTitle(kind)],
            ['Network', network.network],
            ['Latest block', number(latestBlock)],
            ['Processed block', number(processedBlock)],
            ['Lag', number(lag)],
            ['Errors (last hour)', number(errorsLastHour)],
            ...(network.explorer
              ? [
                  [
                    'Explorer',
                    <ExternalLink key="explorer" href={network.explorer.url}>
                      {new URL(network.explorer.url).host}
                    </ExternalLink>,
                  ] satisfies [string, ReactNode],
                ]
              : []),
          ]}
        />
      </Section>
      {configured && <SourceHistory fullname={fullname} title={title} lag={lag} />}
    </Page>
  )
}
