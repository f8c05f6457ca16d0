import { Autocomplete, Skeleton } from '@mantine/core'
import { ErrorNotice } from '../../../components/error-notice.tsx'
import { api, type Body } from '../../../data/api.ts'
import { useApiList } from '../../../data/lists.ts'
import { useApiQuery } from '../../../data/queries.ts'
import { chainOfAddress, chainOfName, isAddress } from '../../../layouts/address/address-form.ts'
import { withActivity } from '../model/activity.ts'
import { addressIssue } from '../model/addresses.ts'
import { substrateOffers } from '../model/chain-offers.ts'
import { substrateDrafts } from '../model/import-drafts.ts'
import type { Source } from '../model/source.ts'
import type { AddressInputProps, ChainView, ShownProps } from './chain-view.ts'
import { GoalsFor } from './goals-for.tsx'
import { InterfaceHead, useActivity } from './interface.tsx'
import { Offers } from './offers.tsx'

/** A Substrate network is watched by its pallets too. */
export const substrateView: ChainView = {
  kind: 'substrate',
  Shown: SubstrateAddress,
  Input: PalletField,
  issueOf(text, source) {
    if (chainOfAddress(text) || chainOfName(text)) return addressIssue(text, source)
    return text === '' ? 'Enter a pallet or an account.' : undefined
  },
}

function SubstrateAddress({ source, address }: ShownProps) {
  if (isAddress(address, source.kind)) return <GoalsFor source={source} address={address} />
  return <PalletPage source={source} pallet={address} />
}

/** The events and calls of a pallet. */
function PalletPage({ source, pallet }: { source: Source; pallet: string }) {
  const { data, error } = useApiQuery('getSubstratePallet', { query: { source: source.fullname, pallet } })
  if (data) return <PalletOffers source={source} pallet={data} />
  if (error) return <ErrorNotice error={error} title={`${source.title} has no pallet ${pallet}, or cannot be read`} />
  return <Skeleton height={200} />
}

function PalletOffers({ source, pallet }: { source: Source; pallet: Body<'getSubstratePallet'> }) {
  const { name, events, calls } = pallet
  const of = { dataSource: source.fullname, pallet: name }
  const { activity, note } = useActivity(substrateView.kind, 30, [
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

/** A pallet of the chain, or an account. */
function PalletField({ source, value, onChange, error }: AddressInputProps) {
  const pallets = useApiList('listSubstratePallets', { query: { source: source.fullname } })
  return (
    <Autocomplete
      size="md"
      label="Pallet or account"
      placeholder="Balances"
      data={pallets.items.map(({ name }) => name)}
      value={value}
      onChange={(text) => onChange(text.trim())}
      error={error ?? (pallets.error ? 'The pallets of this network cannot be read. Check the source.' : undefined)}
      required
    />
  )
}
