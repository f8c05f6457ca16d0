import { Skeleton, Text } from '@mantine/core'
import { useState } from 'react'
import { ErrorNotice } from '../../../components/error-notice.tsx'
import { Notice } from '../../../components/notice.tsx'
import { api } from '../../../data/api.ts'
import { useInspect } from '../../../data/use-inspect.ts'
import { shortAddress } from '../../../layouts/address/address-form.ts'
import { evmDrafts } from '../model/import-drafts.ts'
import { type Offer, offersOf } from '../model/offers.ts'
import type { Source } from '../model/source.ts'
import { GoalLinks } from './goals-for.tsx'
import { Offers } from './offers.tsx'
import { PasteAbi } from './paste-abi.tsx'
import { WhatItIs } from './what-it-is.tsx'

type EvmAddressProps = { source: Source; address: string }

/** What is at an address of an EVM network, and what can be watched there. */
export function EvmAddress({ source, address }: EvmAddressProps) {
  const { data, error, isPending, refetch } = useInspect(source.fullname, address)
  const [pasted, setPasted] = useState<Offer[]>()
  if (isPending) return <Looking source={source} />
  if (error) return <ErrorNotice error={error} title="This address cannot be shown" retry={() => void refetch()} />
  const offers = pasted ?? offersOf(data)
  const contract = {
    source,
    name: data.token?.symbol ?? data.name ?? shortAddress(data.address),
    token: data.token,
    makeDrafts: evmDrafts(api, source.fullname, data.address),
  }
  const paste = data.kind !== 'account' && (
    <PasteAbi hasOffers={offers.length > 0} read={setPasted} source={source.fullname} address={data.address} />
  )
  return (
    <Offers contract={contract} offers={offers} looked={data.looked} after={paste}>
      <WhatItIs inspected={data} source={source} />
      {data.error && (
        <Notice tone="warn" title={data.error}>
          {data.kind !== 'account' && offers.length === 0 && (
            <GoalLinks source={source} address={data.address} goals={['contract']} />
          )}
        </Notice>
      )}
    </Offers>
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
