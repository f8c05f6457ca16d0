/** What happens on one chain and must have a counterpart on another one. */
import type { CoreAction } from '@tocsin/contract'
import { at, balance, inTransaction, texts, transactionLink } from '../../action-fields.ts'
import { evmAddress } from './fields.ts'

/** Both events are examples. The builder replaces them with those of the author's bridge. */
export const notMinted: CoreAction = {
  type: 'not_minted',
  title: 'Deposited here, not minted there',
  description:
    'An event of a contract has no counterpart on another chain within ten minutes. Enter the event, the other source, its contract and event, and the parameter that both share.',
  kind: 'evm',
  triggerSpec: {
    type: 'evm_log',
    dataSource: 'common.ethereum',
    event: 'Deposited',
    abiFragment: 'event Deposited(bytes32 indexed id, address indexed sender, uint256 amount)',
  },
  inputs: { counterpart: { ...evmAddress, description: 'The contract on the other chain' } },
  filtersSchema: {
    contract: at('address', evmAddress, 'The contract on this chain'),
    amount: at('params.amount', balance(18), 'The amount'),
  },
  providers: [
    {
      id: 'minted',
      type: 'other_chain_log',
      source: 'common.optimism',
      contract: '{{inputs.counterpart}}',
      event: 'Minted',
      abiFragment: 'event Minted(bytes32 indexed id, address indexed recipient, uint256 amount)',
      match: { id: '{{source.params.id}}' },
      within: '10m',
    },
  ],
  outputSchema: {
    raw: {
      contract: evmAddress,
      counterpart: evmAddress,
      params: 'object',
      transactionHash: 'string',
      blockNumber: 'integer',
    },
  },
  transform: {
    language: 'javascript',
    rawSource: `if (providers.minted !== null) return null
return { contract: source.address, counterpart: inputs.counterpart, params: source.params, transactionHash: source.transactionHash, blockNumber: source.blockNumber }`,
  },
  defaults: {
    ...texts(
      'A deposit into {{address raw.contract}} has no counterpart from {{address raw.counterpart}} on the other chain after 10 minutes',
      { title: 'Deposited here, not minted there', more: `\n{{values raw.params}}${inTransaction}` },
    ),
    links: transactionLink,
    severity: 'critical',
  },
  notSeen: [
    'A counterpart that came with another amount: compare the amounts in a condition.',
    'What is minted there without a deposit here: that is a trigger on the other chain.',
  ],
}
