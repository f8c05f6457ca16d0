import { Skeleton, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { ErrorNotice } from '../../../components/error-notice.tsx'
import { Notice } from '../../../components/notice.tsx'
import { type Offer, offersOf } from '../model/offers.ts'
import type { Source } from '../model/source.ts'
import { AlertMe } from './alert-me.tsx'
import { ImportPanel } from './import-panel.tsx'
import { OfferList } from './offer-list.tsx'
import { PasteAbi } from './paste-abi.tsx'
import { useInspect } from './use-inspect.ts'
import { WhatItIs } from './what-it-is.tsx'

type EvmAddressProps = { source: Source; address: string }

/** What is at an address of an EVM network, and what can be watched there. */
export function EvmAddress({ source, address }: EvmAddressProps) {
  const { data, error, isPending, refetch } = useInspect(source.fullname, address)
  const [pasted, setPasted] = useState<Offer[]>()
  const [chosen, setChosen] = useState<Offer>()
  const [selected, setSelected] = useState<string[]>([])
  if (isPending) return <Looking source={source} />
  if (error) return <ErrorNotice error={error} title="This address cannot be shown" retry={() => void refetch()} />
  const offers = pasted ?? offersOf(data)
  const contract = { source, address: data.address, token: data.token, name: data.token?.symbol ?? data.name }
  if (chosen) return <AlertMe offer={chosen} contract={contract} back={() => setChosen(undefined)} />
  return (
    <Stack gap="lg">
      <WhatItIs inspected={data} source={source} />
      {data.error && <Notice tone="warn" title={data.error} />}
      {offers.length > 0 && (
        <OfferList
          offers={offers}
          token={data.token}
          looked={data.looked}
          selected={selected}
          onSelect={setSelected}
          alertMe={setChosen}
        />
      )}
      {selected.length > 0 && (
        <ImportPanel contract={contract} offers={offers.filter(({ key }) => selected.includes(key))} />
      )}
      {data.kind !== 'account' && <PasteAbi hasOffers={offers.length > 0} read={setPasted} contract={contract} />}
    </Stack>
  )
}

function Looking({ source }: { source: Source }) {
  return (
    <div role="status">
      <Text c="dimmed" mb="sm">
        Reading {source.title}: code, recent events and calls, and the verified interface.
      </Text>
      <Skeleton height={140} mb="md" />
      <Skeleton height={260} />
    </div>
  )
}
