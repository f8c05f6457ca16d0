import { UpstreamError } from '../../../outbound/upstream-error.ts'
import { checkReceiptsRoot } from './receipts-root.ts'

type Rooted = { number: number; receiptsRoot: string | undefined }

type Proof = {
  /** The source asks for a proof of every block. */
  mustProve: boolean
  /** All else about the receipts fits, so that the rules of the root may be the reason. */
  isCounted: boolean
}

/** So many roots in a row must not fit before the chain is taken to make them by rules of its own. */
const misfitsMost = 3

/**
 * What the receipts roots of one network have shown so far. If a root never fitted while the bloom did, the chain makes it
 * by other rules, as some layer-2 chains do. If roots have fitted before, one that does not fit proves wrong receipts.
 */
export class ReceiptsRoots {
  #hasFitted = false
  #misfits = 0

  get areOfOtherRules(): boolean {
    return !this.#hasFitted && this.#misfits >= misfitsMost
  }

  /** True when the root proves the receipts; false when it cannot tell. Throws at receipts that the root disproves. */
  prove(header: Rooted, receipts: readonly unknown[], { mustProve, isCounted }: Proof): boolean {
    const check = checkReceiptsRoot(header.receiptsRoot, receipts)
    if (check.kind === 'same') {
      this.#hasFitted = true
      return true
    }
    if (check.kind === 'other') {
      if (isCounted) this.#misfits += 1
      if (mustProve || !this.areOfOtherRules) throw misfit(header, receipts)
    }
    if (check.kind === 'unknown' && mustProve) throw unprovable(header, check.reason)
    return false
  }
}

function misfit({ number }: Rooted, receipts: readonly unknown[]): UpstreamError {
  return new UpstreamError(
    'bad_answer',
    `The node's ${receipts.length} receipts of block ${number} do not make up the receipts root of the block.`,
  )
}

function unprovable({ number }: Rooted, reason: string): UpstreamError {
  return new UpstreamError(
    'bad_answer',
    `The receipts of block ${number} cannot be checked: ${reason}. This source asks for that check; set verify to "bloom" to follow it without.`,
  )
}
