import { Skeleton } from '@mantine/core'
import { ErrorNotice } from '../../../components/error-notice.tsx'
import { api, type Body } from '../../../data/api.ts'
import { useApiQuery } from '../../../data/queries.ts'
import { withActivity } from '../model/activity.ts'
import { substrateOffers } from '../model/chain-offers.ts'
import { substrateDrafts } from '../model/import-drafts.ts'
import type { Source } from '../model/source.ts'
import { InterfaceHead } from './interface-head.tsx'
import { Offers } from './offers.tsx'
import { useActivity } from './use-activity.ts'

/** The events and calls of a pallet. */
export function SubstratePallet({ source, pallet }: { source: Source; pallet: string }) {
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
