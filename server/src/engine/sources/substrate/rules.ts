import type { Issue, TriggerSpec } from '@tocsin/contract'
import { issueUnless } from '../../base/issue-unless.ts'
import { holdsPlaceholder } from '../../base/placeholders.ts'
import type { ChainRules } from '../chain-rules.ts'
import { caip2Name } from '../network-name.ts'
import { isSubstrateReadingMethod } from './reading-methods.ts'

export const substrateRules: ChainRules = {
  kind: 'substrate',
  specs: { substrate_event: ['block', 'index', 'pallet', 'event', 'phase', 'extrinsic', 'args', 'params'] },
  checkSpec: async (spec, path) => (spec.type === 'substrate_event' ? checkEvent(spec, path) : []),
  reads: {
    substrate_storage: ['source', 'module', 'entry', 'args', 'block'],
    token_metadata: ['source', 'contract'],
  },
  checkRead: async (provider, path) => (provider.type === 'token_metadata' ? checkAsset(provider.contract, path) : []),
  isReadingMethod: isSubstrateReadingMethod,
  isAddress: (text) => /^[1-9A-HJ-NP-Za-km-z]{46,49}$/.test(text),
  networkName: ({ genesisHash }) => caip2Name('polkadot', genesisHash),
}

function checkAsset(contract: string, path: string): Issue[] {
  const isAsset = /^\d{1,39}$/.test(contract) || holdsPlaceholder(contract)
  return issueUnless(isAsset, `${path}.contract`, 'must be the number of an asset or a placeholder')
}

const identifier = /^[A-Za-z_]\w*$/

function checkEvent(spec: Extract<TriggerSpec, { type: 'substrate_event' }>, path: string): Issue[] {
  const { pallet, event } = spec
  return [
    ...issueUnless(pallet === undefined || identifier.test(pallet), `${path}.pallet`, 'must be the name of a pallet'),
    ...issueUnless(event === undefined || identifier.test(event), `${path}.event`, 'must be the name of an event'),
  ]
}
