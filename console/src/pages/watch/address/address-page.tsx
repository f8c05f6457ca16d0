import { Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { ErrorNotice } from '../../../components/error-notice.tsx'
import { LinkText } from '../../../components/link-text.tsx'
import { Notice } from '../../../components/notice.tsx'
import { Page } from '../../../components/page.tsx'
import { PageLoading } from '../../../components/page-loading.tsx'
import { api, type Body } from '../../../data/api.ts'
import { listChains } from '../../../data/chains.ts'
import { useApiList } from '../../../data/lists.ts'
import { useApiQuery } from '../../../data/queries.ts'
import { useWorkspace } from '../../../data/use-workspace.ts'
import { isAddress, shortAddress } from '../../../layouts/address/address-form.ts'
import { NoSource } from '../goal/no-source.tsx'
import { type Activity, readActivity, type Spec, withActivity } from '../model/activity.ts'
import { solanaOffers, substrateOffers } from '../model/chain-offers.ts'
import { solanaDrafts, substrateDrafts } from '../model/import-drafts.ts'
import { isFields } from '../model/offers.ts'
import { type Source, sortSources } from '../model/source.ts'
import classes from './address.module.css'
import { AddressBar } from './address-bar.tsx'
import { EvmAddress } from './evm-address.tsx'
import { GoalsFor } from './goals-for.tsx'
import { Offers } from './offers.tsx'
import { PasteInterface } from './paste-interface.tsx'

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

function Shown({ source, address }: { source: Source; address: string }) {
  if (source.kind === 'evm') return <EvmAddress source={source} address={address} />
  if (source.kind === 'solana') return <SolanaProgram source={source} address={address} />
  if (isAddress(address, source.kind)) return <GoalsFor source={source} address={address} />
  return <SubstratePallet source={source} pallet={address} />
}

/** The events and calls of a pallet. */
function SubstratePallet({ source, pallet }: { source: Source; pallet: string }) {
  const { data, error } = useApiQuery('getSubstratePallet', { query: { source: source.fullname, pallet } })
  if (data) return <PalletOffers source={source} pallet={data} />
  if (error) return <ErrorNotice error={error} title={`${source.title} has no pallet ${pallet}, or cannot be read`} />
  return <Skeleton height={200} />
}

function PalletOffers({ source, pallet }: { source: Source; pallet: Body<'getSubstratePallet'> }) {
  const { name, events, calls } = pallet
  const of = { dataSource: source.fullname, pallet: name }
  const { activity, note } = useActivity('substrate', [
    ...(events.length > 0 ? [{ type: 'substrate_event' as const, ...of }] : []),
    ...(calls.length > 0 ? [{ type: 'substrate_call' as const, ...of }] : []),
  ])
  const contract = { source, name, makeDrafts: substrateDrafts(api, source.fullname, name) }
  return (
    <Offers
      contract={contract}
      offers={withActivity(substrateOffers(pallet, source), activity)}
      looked={activity?.looked}
    >
      <InterfaceHead name={name} note={note}>
        Pallet on {source.title} with {events.length} events and {calls.length} calls.
      </InterfaceHead>
    </Offers>
  )
}

type SolanaProgramProps = { source: Source; address: string }
type Idl = Record<string, unknown>

/** A program whose IDL is on the chain or pasted; else the goals for its address. */
function SolanaProgram({ source, address }: SolanaProgramProps) {
  const [pasted, setPasted] = useState<Idl>()
  const found = useQuery({
    queryKey: ['look-ups', 'idl', source.fullname, address],
    queryFn: ({ signal }) => api.findSolanaIdl({ body: { source: source.fullname, programId: address }, signal }),
    retry: false,
  })
  if (found.isPending) return <Skeleton height={200} />
  if (found.error) return <ErrorNotice error={found.error} title="This address cannot be shown" />
  const idl = pasted ?? found.data.idl
  const paste = <PasteIdl hasIdl={Boolean(idl)} read={setPasted} source={source.fullname} programId={address} />
  if (idl) return <ProgramOffers source={source} address={address} idl={idl} isPasted={Boolean(pasted)} after={paste} />
  return (
    <>
      {found.data.error && <Notice tone="warn" title={found.data.error} />}
      <GoalsFor source={source} address={address} />
      {paste}
    </>
  )
}

type ProgramOffersProps = SolanaProgramProps & { idl: Idl; isPasted: boolean; after: ReactNode }

function ProgramOffers({ source, address, idl, isPasted, after }: ProgramOffersProps) {
  const offers = solanaOffers(idl)
  const of = { dataSource: source.fullname, programId: address, idl }
  const { activity, note } = useActivity('solana', [
    ...(offers.some(({ type }) => type === 'event') ? [{ type: 'solana_event' as const, ...of }] : []),
    ...(offers.some(({ type }) => type === 'call') ? [{ type: 'solana_instruction' as const, ...of }] : []),
  ])
  const metadata = isFields(idl.metadata) ? idl.metadata.name : undefined
  const name = [metadata, idl.name].find((text) => typeof text === 'string') ?? shortAddress(address)
  const contract = { source, name, makeDrafts: solanaDrafts(api, source.fullname, address, idl) }
  return (
    <Offers contract={contract} offers={withActivity(offers, activity)} looked={activity?.looked} after={after}>
      <InterfaceHead name={name} note={note}>
        Program on {source.title}. Its interface (IDL) is {isPasted ? 'the one that you pasted' : 'on the chain'}.
      </InterfaceHead>
    </Offers>
  )
}

type PasteIdlProps = {
  hasIdl: boolean
  read: (idl: Record<string, unknown>) => void
  source: string
  programId: string
}

/** For a program whose IDL is not on the chain: the user pastes it. The service checks it. */
function PasteIdl({ hasIdl, read, source, programId }: PasteIdlProps) {
  return (
    <PasteInterface
      isKnown={hasIdl}
      label="Interface of the program"
      description="The IDL as its developers give it: the JSON file that Anchor writes."
      field="idl"
      read={async (idl, project) => {
        await api.importSolanaDrafts({ body: { project, source, programId, idl } })
        const parsed: unknown = JSON.parse(idl)
        if (isFields(parsed)) read(parsed)
      }}
    />
  )
}

/** Blocks of Solana are large and come fast, so fewer of them are read. */
const lastBlocks = { solana: 10, substrate: 30 }

/** What happened in the latest blocks. The page shows events and calls without it until it arrives, or if it fails. */
function useActivity(
  kind: keyof typeof lastBlocks,
  specs: readonly Spec[],
): { activity: Activity | undefined; note: string | undefined } {
  const { fullname: workspace } = useWorkspace()
  const { data, isFetching, error } = useQuery({
    queryKey: ['look-ups', 'activity', workspace, kind, specs],
    queryFn: ({ signal }) => readActivity(api, workspace, specs, { lastBlocks: lastBlocks[kind], signal }),
    enabled: specs.length > 0,
    retry: false,
  })
  if (isFetching) return { activity: data, note: 'Counting events and calls of the latest blocks …' }
  return { activity: data, note: error ? `The latest blocks could not be read: ${error.message}` : undefined }
}

/** The name of a program or a pallet, what it is, and what is still being counted. */
function InterfaceHead({ name, note, children }: { name: string; note: string | undefined; children: ReactNode }) {
  return (
    <section className={classes.hero} aria-label="What it is">
      <h2 className={classes.name}>{name}</h2>
      <Text c="dimmed">{children}</Text>
      {note && (
        <Text c="dimmed" role="status">
          {note}
        </Text>
      )}
    </section>
  )
}
