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
import type { Source } from '../model/source.ts'
import { GoalsFor } from './goals-for.tsx'
import { InterfaceHead } from './interface-head.tsx'
import { Offers } from './offers.tsx'
import { PasteIdl } from './paste-idl.tsx'
import { useActivity } from './use-activity.ts'

type SolanaProgramProps = { source: Source; address: string }
type Idl = Record<string, unknown>

/** A program whose IDL is on the chain or pasted; else the goals for its address. */
export function SolanaProgram({ source, address }: SolanaProgramProps) {
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
