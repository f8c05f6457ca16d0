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

  /** `silent`: the root shows nothing about the receipts. `refused`: it disproves them, or they must be proven and are not. */
  compare(header: Rooted, receipts: readonly unknown[], { mustProve, isCounted }: Proof): RootComparison {
    const check = checkReceiptsRoot(header.receiptsRoot, receipts)
    if (check.kind === 'same') {
      this.#hasFitted = true
      return { kind: 'proven' }
    }
    if (check.kind === 'other') {
      if (isCounted) this.#misfits += 1
      if (mustProve || !this.areOfOtherRules) return { kind: 'refused', message: misfit(header, receipts) }
    }
    if (check.kind === 'unknown' && mustProve) return { kind: 'refused', message: unprovable(header, check.reason) }
    return { kind: 'silent' }
  }
}

export type RootComparison = { kind: 'proven' | 'silent' } | { kind: 'refused'; message: string }

function misfit({ number }: Rooted, receipts: readonly unknown[]): string {
  return `The node's ${receipts.length} receipts of block ${number} do not make up the receipts root of the block.`
}

function unprovable({ number }: Rooted, reason: string): string {
  return `The receipts of block ${number} cannot be checked: ${reason}. This source asks for that check; set verify to "bloom" to follow it without.`
}
