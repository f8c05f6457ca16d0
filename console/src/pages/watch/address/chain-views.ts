import type { ChainView } from './chain-view.ts'
import { evmView } from './evm-address.tsx'
import { solanaView } from './solana-program.tsx'
import { substrateView } from './substrate-pallet.tsx'

const views: readonly ChainView[] = [evmView, substrateView, solanaView]

/** Undefined for a chain without a page of its own. */
export function viewOf(kind: string): ChainView | undefined {
  return views.find((view) => view.kind === kind)
}
