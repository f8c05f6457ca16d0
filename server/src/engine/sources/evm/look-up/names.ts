import type { FindNames } from '../../chain.ts'
import { chainReads } from './chain-reads.ts'
import { findEnsName, hasEns } from './ens.ts'

/** ENS names. An address has the name that it set for itself. */
export const findNames: FindNames = async (request) => {
  const reads = chainReads(request)
  return (await hasEns(reads)) ? (address) => findEnsName(reads, address) : undefined
}
