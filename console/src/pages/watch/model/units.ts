import type { Source } from './source.ts'

const usualDecimals: Record<Source['kind'], number> = { evm: 18, substrate: 10, solana: 9 }
type Coin = Pick<Source, 'kind' | 'nativeCurrency'>

/** The decimals of the native coin. A network that says nothing has those of Ethereum, Polkadot or Solana. */
export function coinDecimals({ kind, nativeCurrency }: Coin): { decimals: number } {
  return { decimals: nativeCurrency?.decimals ?? usualDecimals[kind] }
}

/** “ETH”, or “coins” if the network does not say. */
export function coinName({ nativeCurrency }: Coin): string {
  return nativeCurrency?.symbol ?? 'coins'
}
