import { Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ErrorNotice } from '../../../components/error-notice.tsx'
import { Notice } from '../../../components/notice.tsx'
import { api } from '../../../data/api.ts'
import { shortAddress } from '../../../layouts/address/address-form.ts'
import { solanaOffers } from '../model/chain-offers.ts'
import { solanaDrafts } from '../model/import-drafts.ts'
import { isFields } from '../model/offers.ts'
import type { Source } from '../model/source.ts'
import classes from './address.module.css'
import { GoalsFor } from './goals-for.tsx'
import { Offers } from './offers.tsx'

type SolanaProgramProps = { source: Source; address: string }

/** A program whose IDL is on the chain; else the goals for its address. */
export function SolanaProgram({ source, address }: SolanaProgramProps) {
  const found = useQuery({
    queryKey: ['look-ups', 'idl', source.fullname, address],
    queryFn: ({ signal }) => api.findSolanaIdl({ body: { source: source.fullname, programId: address }, signal }),
    retry: false,
  })
  if (found.isPending) return <Skeleton height={200} />
  if (found.error) return <ErrorNotice error={found.error} title="This address cannot be shown" />
  const { idl, error } = found.data
  if (!idl)
    return (
      <>
        {error && <Notice tone="warn" title={error} />}
        <GoalsFor source={source} address={address} />
      </>
    )
  const metadata = isFields(idl.metadata) ? idl.metadata.name : undefined
  const name = [metadata, idl.name].find((text) => typeof text === 'string') ?? shortAddress(address)
  const contract = { source, name, makeDrafts: solanaDrafts(api, source.fullname, address, idl) }
  return (
    <Offers contract={contract} offers={solanaOffers(idl)}>
      <section className={classes.hero} aria-label="What it is">
        <h2 className={classes.name}>{name}</h2>
        <Text c="dimmed">Program on {source.title}. Its interface (IDL) is on the chain.</Text>
      </section>
    </Offers>
  )
}
