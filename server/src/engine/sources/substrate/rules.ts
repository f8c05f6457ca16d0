import type { Issue } from '@tocsin/contract'
import { issueUnless } from '../../base/issue-unless.ts'
import { holdsPlaceholder } from '../../base/placeholders.ts'
import type { ChainRules } from '../chain-rules.ts'
import { caip2Name } from '../network-name.ts'
import { knownSubstrateNetworks } from './known-networks.ts'
import { isSubstrateReadingMethod } from './reading-methods.ts'

export const substrateRules: ChainRules = {
  kind: 'substrate',
  specs: {
    substrate_event: ['block', 'index', 'pallet', 'event', 'phase', 'extrinsic', 'args', 'params'],
    substrate_call: [
      ...['block', 'index', 'hash', 'pallet', 'call', 'args', 'params'],
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
  isAddress: (text) => /^[1-9A-HJ-NP-Za-km-z]{46,49}$/.test(text),
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
