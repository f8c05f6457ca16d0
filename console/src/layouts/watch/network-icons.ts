/// <reference types="vite/client" />

/** Icons that come with the console. Their files have the names of the built-in networks. */
const files: Readonly<Record<string, string>> = import.meta.glob('./networks/*.svg', {
  eager: true,
  query: '?url',
  import: 'default',
})

/** Other networks by their name, and networks of custom sources by their CAIP-2 name. Networks that belong together share an icon. */
const names: Readonly<Record<string, string>> = {
  sepolia: 'ethereum',
  'asset-hub-polkadot': 'polkadot',
  'eip155:1': 'ethereum',
  'eip155:10': 'optimism',
  'eip155:56': 'bsc',
  'eip155:100': 'gnosis',
  'eip155:137': 'polygon',
  'eip155:1284': 'moonbeam',
  'eip155:8453': 'base',
  'eip155:42161': 'arbitrum',
  'eip155:43114': 'avalanche',
  'eip155:59144': 'linea',
  'eip155:534352': 'scroll',
  'eip155:11155111': 'ethereum',
  'polkadot:91b171bb158e2d3848fa23a9f1c25182': 'polkadot',
  'polkadot:68d56f15f85d3136970ec16946040bc1': 'polkadot',
  'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp': 'solana',
}

/** The address of the icon of a network; undefined if the console has none. */
export function networkIcon(network: string): string | undefined {
  return files[`./networks/${names[network] ?? network}.svg`]
}
