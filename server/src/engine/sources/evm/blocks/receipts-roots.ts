import { UpstreamError } from '../../../outbound/upstream-error.ts'
import { checkReceiptsRoot } from './receipts-root.ts'

type Rooted = { number: number; receiptsRoot: string | undefined }

type Proof = {
  /** The source requires a proof for every block. */
  mustProve: boolean
  /** Everything else about the receipts is right, so the chain's own root rules may be the reason. */
  isCounted: boolean
}

/** After this many mismatches in a row, the chain is assumed to compute roots by its own rules. */
const misfitsMax = 3

/**
 * What the receipts roots of one network have shown so far. If no root ever matched while the bloom did, the chain uses its
 * own rules, as some layer-2 chains do. If roots have matched before, a mismatch proves that the receipts are wrong.
 */
export class ReceiptsRoots {
  #hasFitted = false
  #misfits = 0

  get areOfOtherRules(): boolean {
    return !this.#hasFitted && this.#misfits >= misfitsMax
  }

  /** True when the root proves the receipts; false when it shows nothing. Throws for receipts that the root disproves. */
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
