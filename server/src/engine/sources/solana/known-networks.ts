import type { KnownNetwork } from '../chain-rules.ts'

const nativeCurrency = { name: 'Solana', symbol: 'SOL', decimals: 9 }
const solscan = (query = '') => ({ name: 'Solscan', url: `https://solscan.io${query}` })

/** The public clusters of Solana by the hash of their first block. */
export const knownSolanaNetworks: ReadonlyMap<string, KnownNetwork> = new Map(
  Object.entries({
    '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d': { name: 'Solana', nativeCurrency, explorer: solscan() },
    EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG: {
      name: 'Solana Devnet',
      nativeCurrency,
      explorer: solscan('/?cluster=devnet'),
    },
    '4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY': {
      name: 'Solana Testnet',
      nativeCurrency,
      explorer: solscan('/?cluster=testnet'),
    },
  }),
)
