import { Skeleton, Text } from '@mantine/core'
import { ErrorNotice } from '../../../components/error-notice.tsx'
import { api } from '../../../data/api.ts'
import { useApiQuery } from '../../../data/queries.ts'
import { substrateOffers } from '../model/chain-offers.ts'
import { substrateDrafts } from '../model/import-drafts.ts'
import type { Source } from '../model/source.ts'
import classes from './address.module.css'
import { Offers } from './offers.tsx'

/** The events and calls of a pallet. */
export function SubstratePallet({ source, pallet }: { source: Source; pallet: string }) {
  const { data, error, isPending } = useApiQuery('getSubstratePallet', { query: { source: source.fullname, pallet } })
  if (isPending) return <Skeleton height={200} />
  if (error) return <ErrorNotice error={error} title={`${source.title} has no pallet ${pallet}, or cannot be read`} />
  const contract = { source, name: data.name, makeDrafts: substrateDrafts(api, source.fullname, data.name) }
  return (
    <Offers contract={contract} offers={substrateOffers(data, source)}>
      <section className={classes.hero} aria-label="What it is">
        <h2 className={classes.name}>{data.name}</h2>
        <Text c="dimmed">
          Pallet on {source.title} with {data.events.length} events and {data.calls.length} calls.
        </Text>
      </section>
    </Offers>
  )
}
