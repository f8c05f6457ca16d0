import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { ErrorNotice } from '../../../components/error-notice.tsx'
import { Notice } from '../../../components/notice.tsx'
import { api } from '../../../data/api.ts'
import { shortAddress } from '../../../layouts/address/address-form.ts'
import { withActivity } from '../model/activity.ts'
import { solanaOffers } from '../model/chain-offers.ts'
import { solanaDrafts } from '../model/import-drafts.ts'
import { isFields } from '../model/offers.ts'
import type { ChainView, ShownProps } from './chain-view.ts'
import { GoalsFor } from './goals-for.tsx'
import { InterfaceHead, useActivity } from './interface.tsx'
import { Offers } from './offers.tsx'
import { PasteInterface } from './paste-interface.tsx'

export const solanaView: ChainView = {
  kind: 'solana',
  example: 'JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4',
  Shown: SolanaProgram,
}

/** Blocks are large and come fast, so few of them are read. */
const lastBlocks = 10

type Idl = Record<string, unknown>

/** A program whose IDL is on the chain or pasted; else the goals for its address. */
function SolanaProgram({ source, address }: ShownProps) {
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

type ProgramOffersProps = ShownProps & { idl: Idl; isPasted: boolean; after: ReactNode }

function ProgramOffers({ source, address, idl, isPasted, after }: ProgramOffersProps) {
  const offers = solanaOffers(idl)
  const of = { dataSource: source.fullname, programId: address, idl }
  const { activity, note } = useActivity(solanaView.kind, lastBlocks, [
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
