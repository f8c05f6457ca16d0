import { type Issue, substrateDescription } from '@tocsin/contract'
import { issueUnless } from '../../base/issue-unless.ts'
import { holdsPlaceholder } from '../../base/placeholders.ts'
import type { ChainRules, KnownNetwork } from '../chain-rules.ts'
import { caip2Name } from '../chain-rules.ts'
import { substrateCoreActions } from './core-actions/index.ts'
import { checkSs58 } from './ss58.ts'

const genesis = {
  polkadot: '0x91b171bb158e2d3848fa23a9f1c25182fb8e20313b2c1eb49219da7a70ce90c3',
  polkadotAssetHub: '0x68d56f15f85d3136970ec16946040bc1752654e906147f7e43e9d539d7c3de2f',
  kusama: '0xb0a8d493285c2df73290dfb7e61f870f17b41801197a149ca93654499ea3dafe',
  kusamaAssetHub: '0x48239ef607d7928874027a43a67689209727dfb3d3dc5e5b03a39bdc2eda771a',
}

const blockFields = ['block.number', 'block.hash', 'block.timestamp']

export const substrateRules: ChainRules = {
  description: substrateDescription,
  coreActions: substrateCoreActions,
  networks: {
    'asset-hub-kusama': { title: 'Kusama Asset Hub', identity: { genesisHash: genesis.kusamaAssetHub } },
    'asset-hub-polkadot': { title: 'Polkadot Asset Hub', identity: { genesisHash: genesis.polkadotAssetHub } },
    kusama: { title: 'Kusama', identity: { genesisHash: genesis.kusama } },
    polkadot: { title: 'Polkadot', identity: { genesisHash: genesis.polkadot } },
  },
  specs: {
    substrate_event: [...blockFields, 'index', 'pallet', 'event', 'phase', 'extrinsic', 'args', 'params'],
    substrate_call: [
      ...[...blockFields, 'index', 'hash', 'pallet', 'call', 'args', 'params'],
      ...['sender', 'nonce', 'path', 'success', 'error'],
    ],
    substrate_block: ['number', 'hash', 'parentHash', 'timestamp', 'stateRoot', 'extrinsicsRoot', 'author'],
  },
  checkSpec: async (spec, path) => {
    if (spec.type === 'substrate_event') return checkNames({ pallet: spec.pallet, event: spec.event }, path)
    return spec.type === 'substrate_call' ? checkNames({ pallet: spec.pallet, call: spec.call }, path) : []
  },
  reads: {
    substrate_storage: ['source', 'module', 'entry', 'args', 'block'],
    token_metadata: ['source', 'contract'],
  },
  checkRead: async (provider, path) => (provider.type === 'token_metadata' ? checkAsset(provider.contract, path) : []),
  isReadingMethod: isSubstrateReadingMethod,
  checkAddress: checkSs58,
  // An output may also show an account index, or the account of a chain with other keys.
  isLooseAddress: (text) => /^[1-9A-HJ-NP-Za-km-z]{3,64}$/.test(text),
  networkName: ({ genesisHash }) => caip2Name('polkadot', genesisHash),
  explorerPages: {
    transaction: 'extrinsic',
    address: 'account',
    block: 'block',
    /** The hash of an extrinsic, or its block and its position, as in `123-2`. */
    transactionPattern: '^(?:0x[0-9a-f]{64}|\\d{1,15}-\\d{1,6})$',
    addressPattern: '^(?:0x[0-9a-f]{40}|[1-9A-HJ-NP-Za-km-z]{46,49})$',
  },
  knownNetwork: ({ genesisHash = '' }) => knownSubstrateNetworks.get(genesisHash),
}

function checkAsset(contract: string, path: string): Issue[] {
  const isAsset = /^\d{1,39}$/.test(contract) || holdsPlaceholder(contract)
  return issueUnless(isAsset, `${path}.contract`, 'must be the number of an asset or a placeholder')
}

const identifier = /^[A-Za-z_]\w*$/

function checkNames(names: Partial<Record<'pallet' | 'event' | 'call', string>>, path: string): Issue[] {
  const article = { pallet: 'a', event: 'an', call: 'a' }
  return (['pallet', 'event', 'call'] as const).flatMap((field) => {
    const name = names[field]
    const isName = name === undefined || identifier.test(name)
    return issueUnless(isName, `${path}.${field}`, `must be the name of ${article[field]} ${field}`)
  })
}

/** JSON-RPC methods that read a Substrate chain. Methods that nodes call unsafe, such as `state_getPairs`, are not included. */
const readingMethods: ReadonlySet<string> = new Set([
  'account_nextIndex',
  'chainSpec_v1_chainName',
  'chainSpec_v1_genesisHash',
  'chainSpec_v1_properties',
  'chain_getBlock',
  'chain_getBlockHash',
  'chain_getFinalisedHead',
  'chain_getFinalizedHead',
  'chain_getHead',
  'chain_getHeader',
  'chain_getRuntimeVersion',
  'childstate_getKeys',
  'childstate_getKeysPaged',
  'childstate_getStorage',
  'childstate_getStorageEntries',
  'childstate_getStorageHash',
  'childstate_getStorageSize',
  'payment_queryFeeDetails',
  'payment_queryInfo',
  'rpc_methods',
  'state_call',
  'state_getChildReadProof',
  'state_getKeys',
  'state_getKeysPaged',
  'state_getKeysPagedAt',
  'state_getMetadata',
  'state_getReadProof',
  'state_getRuntimeVersion',
  'state_getStorage',
  'state_getStorageAt',
  'state_getStorageHash',
  'state_getStorageHashAt',
  'state_getStorageSize',
  'state_getStorageSizeAt',
  'state_queryStorageAt',
  'system_accountNextIndex',
  'system_chain',
  'system_chainType',
  'system_health',
  'system_name',
  'system_properties',
  'system_syncState',
  'system_version',
])

function isSubstrateReadingMethod(method: string): boolean {
  return readingMethods.has(method)
}

const coin = (name: string, symbol: string, decimals: number) => ({ name, symbol, decimals })
const subscan = (network: string) => ({ name: 'Subscan', url: `https://${network}.subscan.io` })
const dot = coin('Polkadot', 'DOT', 10)
const ksm = coin('Kusama', 'KSM', 12)

/** Public Substrate networks by the hash of their first block. */
const knownSubstrateNetworks: ReadonlyMap<string, KnownNetwork> = new Map(
  Object.entries({
    [genesis.polkadot]: {
      name: 'Polkadot',
      nativeCurrency: dot,
      explorer: subscan('polkadot'),
    },
    [genesis.polkadotAssetHub]: {
      name: 'Polkadot Asset Hub',
      nativeCurrency: dot,
      explorer: subscan('assethub-polkadot'),
    },
    [genesis.kusama]: {
      name: 'Kusama',
      nativeCurrency: ksm,
      explorer: subscan('kusama'),
    },
    [genesis.kusamaAssetHub]: {
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
