import { Stack } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import type { Inspected, Offer } from '../model/offers.ts'
import { AlertMe } from './alert-me.tsx'
import type { Contract } from './contract.ts'
import { ImportPanel } from './import-panel.tsx'
import { OfferList } from './offer-list.tsx'

type OffersProps = {
  contract: Contract
  offers: Offer[]
  looked?: Inspected['looked']
  children?: ReactNode
  after?: ReactNode
}

/** What is known, then events and calls. *Alert me* replaces both by its questions; selected ones can become drafts. */
export function Offers({ contract, offers, looked, children, after }: OffersProps) {
  const [chosen, setChosen] = useState<Offer>()
  const [selected, setSelected] = useState<string[]>([])
  if (chosen) return <AlertMe offer={chosen} contract={contract} back={() => setChosen(undefined)} />
  return (
    <Stack gap="lg">
      {children}
      {offers.length > 0 && (
        <OfferList
          offers={offers}
          source={contract.source}
          token={contract.token}
          looked={looked}
          selected={selected}
          onSelect={setSelected}
          alertMe={setChosen}
        />
      )}
      {selected.length > 0 && (
        <ImportPanel contract={contract} offers={offers.filter(({ key }) => selected.includes(key))} />
      )}
      {after}
    </Stack>
  )
}
