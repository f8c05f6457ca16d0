import type { KnownNetwork } from '../chain-rules.ts'

const coin = (name: string, symbol: string, decimals: number) => ({ name, symbol, decimals })
const subscan = (network: string) => ({ name: 'Subscan', url: `https://${network}.subscan.io` })
const dot = coin('Polkadot', 'DOT', 10)
const ksm = coin('Kusama', 'KSM', 12)

/** Public Substrate networks by the hash of their first block. */
export const knownSubstrateNetworks: ReadonlyMap<string, KnownNetwork> = new Map(
  Object.entries({
    '0x91b171bb158e2d3848fa23a9f1c25182fb8e20313b2c1eb49219da7a70ce90c3': {
      name: 'Polkadot',
      nativeCurrency: dot,
      explorer: subscan('polkadot'),
    },
    '0x68d56f15f85d3136970ec16946040bc1752654e906147f7e43e9d539d7c3de2f': {
      name: 'Polkadot Asset Hub',
      nativeCurrency: dot,
      explorer: subscan('assethub-polkadot'),
    },
    '0xb0a8d493285c2df73290dfb7e61f870f17b41801197a149ca93654499ea3dafe': {
      name: 'Kusama',
      nativeCurrency: ksm,
      explorer: subscan('kusama'),
    },
    '0x48239ef607d7928874027a43a67689209727dfb3d3dc5e5b03a39bdc2eda771a': {
      name: 'Kusama Asset Hub',
      nativeCurrency: ksm,
      explorer: subscan('assethub-kusama'),
    },
    '0xe143f23803ac50e8f6f8e62695d1ce9e4e1d68aa36c1cd2cfd15340213f3423e': {
      name: 'Westend',
      nativeCurrency: coin('Westend', 'WND', 12),
      explorer: subscan('westend'),
    },
    '0xfe58ea77779b7abda7da4ec526d14db9b1e9cd40a217c34892af80a9b332b76d': {
      name: 'Moonbeam',
      nativeCurrency: coin('Glimmer', 'GLMR', 18),
      explorer: subscan('moonbeam'),
    },
    '0x9eb76c5184c4ab8679d2d5d819fdf90b9c001403e9e17da2e14b6d8aec4029c6': {
      name: 'Astar',
      nativeCurrency: coin('Astar', 'ASTR', 18),
      explorer: subscan('astar'),
    },
    '0xfc41b9bd8ef8fe53d58c7ea67c794c7ec9a73daf05e6d54b14ff6342c99ba64c': {
      name: 'Acala',
      nativeCurrency: coin('Acala', 'ACA', 12),
      explorer: subscan('acala'),
    },
    '0xafdc188f45c71dacbaa0b62e16a91f726c7b8699a9748cdf715459de6b7f366d': {
      name: 'Hydration',
      nativeCurrency: coin('Hydration', 'HDX', 12),
      explorer: subscan('hydration'),
    },
  }),
)
