import type { importRoutes } from '../../routes/imports.ts'
import type { TextsOf } from './operation-text.ts'

const sourceRule = 'A source that the account may not read answers 404.'

export const importTexts: TextsOf<typeof importRoutes> = {
  findEvmAbi: {
    description: `Asks the ABI services of the operator in their order, follows proxies to the implementation, and guesses from selectors if no service knows the contract. If nothing is found, \`abi\` is empty and \`error\` says why. ${sourceRule}`,
    refusals: ['not_found', 'upstream_failed'],
  },
  importEvm: {
    description: `Lists the events and calls of an ABI, or of a contract whose ABI is looked up, with their signatures and documentation. ${sourceRule}`,
    refusals: ['not_found', 'upstream_failed'],
  },
  importEvmDrafts: {
    description: `Answers a valid definition of a trigger for each event and each call that changes state. \`useAsFilter\` puts the contract into the definitions, and \`category\` becomes a tag. ${sourceRule}`,
    refusals: ['not_found', 'upstream_failed'],
  },
  inspectAddress: {
    description: `Answers the kind of an address (contract, token, proxy, wallet), its name, and the events and calls of recent blocks. ${sourceRule}`,
    refusals: ['not_found', 'upstream_failed'],
  },
  findSolanaIdl: {
    description: `Reads the IDL from the Anchor IDL account or from the Program Metadata program, and answers it with the account that holds it. ${sourceRule}`,
    refusals: ['not_found', 'upstream_failed'],
  },
  importSolanaDrafts: {
    description: `Answers a valid definition of a trigger for each event and instruction of the IDL in the body. ${sourceRule}`,
    refusals: ['not_found', 'upstream_failed'],
  },
  getSubstrateSource: {
    description: `Reads the SS58 prefix of the chain, with which addresses are written. ${sourceRule}`,
    refusals: ['not_found', 'upstream_failed', 'invalid_payload'],
  },
  listSubstratePallets: {
    description: `Lists the pallets in the metadata of the chain with their documentation and the number of their events and calls. ${sourceRule}`,
    refusals: ['not_found', 'upstream_failed', 'invalid_payload'],
  },
  getSubstratePallet: {
    description: `Answers the events, calls and storage entries of one pallet with their fields and documentation. ${sourceRule}`,
    refusals: ['not_found', 'upstream_failed', 'invalid_payload'],
  },
  importSubstrateDrafts: {
    description: `Answers a valid definition of a trigger for each event and call of the named pallets, or for the named entries. ${sourceRule}`,
    refusals: ['not_found', 'upstream_failed'],
  },
}
