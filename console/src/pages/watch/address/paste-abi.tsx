import { api } from '../../../data/api.ts'
import { type Offer, offersOfPasted } from '../model/offers.ts'
import { PasteInterface } from './paste-interface.tsx'

type PasteAbiProps = { hasOffers: boolean; read: (offers: Offer[]) => void; source: string; address: string }

/** For a contract whose ABI nobody published: the user pastes it. */
export function PasteAbi({ hasOffers, read, source, address }: PasteAbiProps) {
  return (
    <PasteInterface
      isKnown={hasOffers}
      label="Interface of the contract"
      description="The ABI as its developers give it: JSON, or one line for each event and function."
      field="abi"
      read={async (abi, project) => {
        const { drafts } = await api.importEvmDrafts({ body: { project, source, contract: address, abi } })
        read(offersOfPasted(drafts))
      }}
    />
  )
}
