import type { CoreAction } from '@tocsin/contract'
import { at, balance, inTransaction, texts, transactionLink } from '../../action-fields.ts'
import { evmAddress } from './fields.ts'

export const nativeTransfer: CoreAction = {
  type: 'native_transfer',
  title: 'Native transfer',
  description:
    'The native coin of the chain, such as ether, moved: by a transaction or, where the source has traces, inside one.',
  kind: 'evm',
  triggerSpec: { type: 'evm_call', dataSource: 'common.ethereum', internal: 'auto' },
  inputs: {
    internal: {
      type: 'boolean',
      optional: true,
      description: 'Tell transfers between contracts inside transactions too (true if not given)',
    },
  },
  filtersSchema: {
    from: at('from', evmAddress, 'The sender'),
    to: at('to', evmAddress, 'The receiver'),
    value: at('value', balance(18), 'The amount'),
  },
  outputSchema: {
    raw: {
      from: evmAddress,
      to: { type: ['string', 'null'], description: 'null when the transaction creates a contract' },
      value: balance(18),
      hash: 'string',
      internal: { type: 'boolean', description: 'true when a contract sent it inside a transaction' },
      blockNumber: 'integer',
    },
    human: { from: evmAddress, value: 'string' },
  },
  transform: {
    language: 'javascript',
    rawSource: `if (BigInt(source.value) === 0n || (inputs.internal === false && source.depth > 0)) return null
return { from: source.from, to: source.to ?? null, value: String(source.value), hash: source.transactionHash, internal: source.depth > 0, blockNumber: source.block.number }`,
    humanSource: '({ ...raw, value: helpers.formatUnits(raw.value, 18) })',
  },
  defaults: {
    ...texts(
      '{{token raw.value token="native"}} moved from {{address raw.from}}{{#if raw.to}} to {{address raw.to}}{{else}} to a new contract{{/if}}',
      { more: inTransaction },
    ),
    links: transactionLink,
  },

  notSeen: [
    'Transfers inside transactions, such as those out of a Safe, on a source without traces. The status of the trigger says so.',
    'Rewards of validators, withdrawals of stakers, and what a self-destructing contract leaves.',
  ],
}

/** What the event says in words, and all of its values. */
export const eventDefaults = {
  ...texts('{{event raw.event raw.params}} in {{address raw.contract}}', {
    title: '{{event raw.event raw.params}}',
    more: `\n{{values raw.params}}${inTransaction}`,
  }),
  links: transactionLink,
}

/** The event is an example that many contracts emit. The builder replaces it with the author's event. */
export const contractEvent: CoreAction = {
  type: 'contract_event',
  title: 'Contract event',
  description:
    'Any event of any contract. Enter the ABI and the contract address. The example watches changes of ownership.',
  kind: 'evm',
  triggerSpec: {
    type: 'evm_log',
    dataSource: 'common.ethereum',
    abiFragment: 'event OwnershipTransferred(address indexed previousOwner, address indexed newOwner)',
  },
  inputs: {},
  filtersSchema: { contract: at('address', evmAddress, 'The contract') },
  outputSchema: {
    raw: { contract: evmAddress, event: 'string', params: 'object', transactionHash: 'string', blockNumber: 'integer' },
  },
  transform: {
    language: 'javascript',
    rawSource:
      "({ contract: source.address, event: source.event ?? 'Unknown event', params: source.params ?? {}, transactionHash: source.transactionHash, blockNumber: source.blockNumber })",
  },
  notSeen: ['Calls that emit no event.'],
  defaults: eventDefaults,
}
