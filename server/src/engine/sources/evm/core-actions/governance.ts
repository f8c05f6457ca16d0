import type { CoreAction } from '@tocsin/contract'
import { at, inTransaction, nullableText, texts, transactionLink } from '../../action-fields.ts'
import { evmAddress } from './fields.ts'

/** The events of a Governor contract, as OpenZeppelin and Compound name them. */
const governorEvents = [
  'event ProposalCreated(uint256 proposalId, address proposer, address[] targets, uint256[] values, string[] signatures, bytes[] calldatas, uint256 voteStart, uint256 voteEnd, string description)',
  'event ProposalQueued(uint256 proposalId, uint256 etaSeconds)',
  'event ProposalExecuted(uint256 proposalId)',
  'event ProposalCanceled(uint256 proposalId)',
  'event VoteCast(address indexed voter, uint256 proposalId, uint8 support, uint256 weight, string reason)',
]

export const governorEvent: CoreAction = {
  type: 'governor_event',
  title: 'Governor proposal or vote',
  description: 'A proposal of a Governor contract was created, queued, executed or cancelled, or somebody voted.',
  kind: 'evm',
  triggerSpec: { type: 'evm_log', dataSource: 'common.ethereum', abiFragment: governorEvents },
  inputs: {},
  filtersSchema: {
    contract: at('address', evmAddress, 'The Governor contract'),
    event: at(
      'event',
      {
        type: 'enum',
        enum: ['ProposalCreated', 'ProposalQueued', 'ProposalExecuted', 'ProposalCanceled', 'VoteCast'],
      },
      'What happened',
    ),
  },
  outputSchema: {
    raw: {
      contract: evmAddress,
      event: 'string',
      what: 'string',
      proposal: 'string',
      account: nullableText,
      description: nullableText,
      params: 'object',
      transactionHash: 'string',
      blockNumber: 'integer',
    },
  },
  transform: {
    language: 'javascript',
    rawSource: `const p = source.params
const whats = { ProposalCreated: 'New proposal', ProposalQueued: 'Proposal queued', ProposalExecuted: 'Proposal executed', ProposalCanceled: 'Proposal cancelled' }
const votes = ['Vote against', 'Vote for', 'Vote to abstain']
return {
  contract: source.address,
  event: source.event,
  what: whats[source.event] ?? votes[Number(p.support)] ?? 'Vote',
  proposal: String(p.proposalId),
  account: p.proposer ?? p.voter ?? null,
  description: p.description ?? (p.reason || null),
  params: p,
  transactionHash: source.transactionHash,
  blockNumber: source.blockNumber,
}`,
  },
  notSeen: ['The start and the end of a vote: they emit no event.', 'Votes off chain, such as those of Snapshot.'],
  defaults: {
    ...texts('{{event raw.event raw.params}} in {{address raw.contract}}', {
      title: '{{event raw.event raw.params}}',
      more: `{{#if raw.description}}\n{{raw.description}}{{/if}}${inTransaction}`,
    }),
    links: transactionLink,
  },
}
