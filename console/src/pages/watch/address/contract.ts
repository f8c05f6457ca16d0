import type { Inspected } from '../model/offers.ts'
import type { Source } from '../model/source.ts'

/** The contract that the page shows. */
export type Contract = {
  source: Source
  address: string
  token: Inspected['token']
  /** The symbol of the token or the name of the contract. */
  name: string | undefined
}
