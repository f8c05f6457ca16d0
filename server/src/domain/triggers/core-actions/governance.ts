/** What happens in governance and staking beside votes and rewards. */
import type { CoreAction } from '@tocsin/contract'
import { at, balance, blockLink, evmAddress, nullableText, ss58Address, transactionLink } from './fields.ts'

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
  transactionHash: source.transactionHash,
  blockNumber: source.blockNumber,
}`,
  },
  notSeen: ['The start and the end of a vote: they emit no event.', 'Votes off chain, such as those of Snapshot.'],
  defaults: {
    title: '{{raw.what}}',
    short: '{{raw.what}} in {{address raw.contract}}{{#if raw.account}} by {{address raw.account}}{{/if}}',
    long: '{{#if raw.description}}{{raw.description}}\n{{/if}}Proposal {{raw.proposal}} of {{address raw.contract}}',
    links: transactionLink,
  },
}

const where = 'blockNumber: source.block.number, index: source.index'
const whereSchema = { blockNumber: 'integer', index: 'integer' }

export const referendumSubmitted: CoreAction = {
  type: 'referendum_submitted',
  title: 'New referendum',
  description: 'Somebody submitted a referendum.',
  kind: 'substrate',
  triggerSpec: { type: 'substrate_event', dataSource: 'common.polkadot', pallet: 'Referenda', event: 'Submitted' },
  inputs: {},
  filtersSchema: { track: at('params.track', 'integer', 'The track') },
  outputSchema: { raw: { referendum: 'integer', track: 'integer', ...whereSchema } },
  transform: {
    language: 'javascript',
    rawSource: `({ referendum: Number(source.params.index), track: Number(source.params.track), ${where} })`,
  },
  notSeen: ['Proposals of other pallets, such as those of a council or of a treasury.'],
  defaults: {
    title: 'New referendum',
    short: 'Referendum {{raw.referendum}} was submitted',
    long: 'Referendum {{raw.referendum}} was submitted on track {{raw.track}} in block {{raw.blockNumber}}',
    links: blockLink,
  },
}

const polkadotDecimals = 10

export const stakingSlash: CoreAction = {
  type: 'staking_slash',
  title: 'Staking slash',
  description: 'A staker lost funds because its validator misbehaved.',
  kind: 'substrate',
  triggerSpec: { type: 'substrate_event', dataSource: 'common.polkadot', pallet: 'Staking', event: 'Slashed' },
  inputs: {},
  filtersSchema: {
    staker: at('params.staker', ss58Address, 'The staker'),
    amount: at('params.amount', balance(polkadotDecimals), 'The loss'),
  },
  outputSchema: {
    raw: { staker: ss58Address, amount: balance(polkadotDecimals), ...whereSchema },
    human: { staker: ss58Address, amount: 'string' },
  },
  transform: {
    language: 'javascript',
    rawSource: `({ staker: source.params.staker, amount: String(source.params.amount), ${where} })`,
    humanSource: `({ ...raw, amount: helpers.formatUnits(raw.amount, ${polkadotDecimals}) })`,
  },
  notSeen: ['Offences that are reported and not slashed yet.'],
  defaults: {
    title: 'Staking slash',
    short: '{{address raw.staker}} lost {{token raw.amount token="native"}}',
    long: '{{address raw.staker}} lost {{token raw.amount token="native"}} in block {{raw.blockNumber}}',
    links: blockLink,
    severity: 'critical',
  },
}
