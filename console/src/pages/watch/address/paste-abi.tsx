import { api } from '../../../data/api.ts'
import { useWorkspace } from '../../../data/use-workspace.ts'
import { findProject } from '../model/go-live.ts'
import { type Offer, offersOfPasted } from '../model/offers.ts'
import { PasteInterface } from './paste-interface.tsx'

type PasteAbiProps = { hasOffers: boolean; read: (offers: Offer[]) => void; source: string; address: string }

/** For a contract whose ABI nobody published: the user pastes it. */
export function PasteAbi({ hasOffers, read, source, address }: PasteAbiProps) {
  const { fullname: workspace } = useWorkspace()
  return (
    <PasteInterface
      summary={hasOffers ? 'Something is missing? Paste the interface' : 'Paste the interface'}
      label="Interface of the contract"
      description="The ABI as its developers give it: JSON, or one line for each event and function."
      field="abi"
      read={async (abi) => {
        const project = await findProject(api, workspace)
        const { drafts } = await api.importEvmDrafts({ body: { project, source, contract: address, abi } })
        read(offersOfPasted(drafts))
      }}
    />
  )
}
