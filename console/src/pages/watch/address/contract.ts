import type { MakeDrafts } from '../model/import-drafts.ts'
import type { Inspected } from '../model/offers.ts'
import type { Source } from '../model/source.ts'

/** The contract, program or pallet that the page shows. */
export type Contract = {
  source: Source
  /** The symbol of the token, the name of the contract, or a short address. */
  name: string
  token?: Inspected['token']
  makeDrafts: MakeDrafts
}
