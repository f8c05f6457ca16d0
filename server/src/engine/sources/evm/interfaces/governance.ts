import type { BundledInterface } from './bundled-interface.ts'

/** OpenZeppelin's TimelockController and Compound's Timelock. */
export const timelock: BundledInterface = {
  name: 'Timelock',
  lines: [
    'event CallScheduled(bytes32 indexed id, uint256 indexed index, address target, uint256 value, bytes data, bytes32 predecessor, uint256 delay)',
    'event CallExecuted(bytes32 indexed id, uint256 indexed index, address target, uint256 value, bytes data)',
    'event CallSalt(bytes32 indexed id, bytes32 salt)',
    'event Cancelled(bytes32 indexed id)',
    'event MinDelayChange(uint256 oldDuration, uint256 newDuration)',
    'event QueueTransaction(bytes32 indexed txHash, address indexed target, uint256 value, string signature, bytes data, uint256 eta)',
    'event ExecuteTransaction(bytes32 indexed txHash, address indexed target, uint256 value, string signature, bytes data, uint256 eta)',
    'event CancelTransaction(bytes32 indexed txHash, address indexed target, uint256 value, string signature, bytes data, uint256 eta)',
    'event NewDelay(uint256 indexed newDelay)',
    'function schedule(address target, uint256 value, bytes data, bytes32 predecessor, bytes32 salt, uint256 delay)',
    'function scheduleBatch(address[] targets, uint256[] values, bytes[] payloads, bytes32 predecessor, bytes32 salt, uint256 delay)',
    'function execute(address target, uint256 value, bytes payload, bytes32 predecessor, bytes32 salt) payable',
    'function executeBatch(address[] targets, uint256[] values, bytes[] payloads, bytes32 predecessor, bytes32 salt) payable',
    'function cancel(bytes32 id)',
    'function queueTransaction(address target, uint256 value, string signature, bytes data, uint256 eta) returns (bytes32)',
    'function executeTransaction(address target, uint256 value, string signature, bytes data, uint256 eta) payable returns (bytes)',
    'function cancelTransaction(address target, uint256 value, string signature, bytes data, uint256 eta)',
  ],
}

/** OpenZeppelin's Governor and Compound's Governor Bravo. */
export const governor: BundledInterface = {
  name: 'Governor',
  lines: [
    'event ProposalCreated(uint256 proposalId, address proposer, address[] targets, uint256[] values, string[] signatures, bytes[] calldatas, uint256 voteStart, uint256 voteEnd, string description)',
    'event ProposalQueued(uint256 proposalId, uint256 etaSeconds)',
    'event ProposalExecuted(uint256 proposalId)',
    'event ProposalCanceled(uint256 proposalId)',
    'event VoteCast(address indexed voter, uint256 proposalId, uint8 support, uint256 weight, string reason)',
    'event VoteCastWithParams(address indexed voter, uint256 proposalId, uint8 support, uint256 weight, string reason, bytes params)',
    'function propose(address[] targets, uint256[] values, bytes[] calldatas, string description) returns (uint256)',
    'function propose(address[] targets, uint256[] values, string[] signatures, bytes[] calldatas, string description) returns (uint256)',
    'function queue(address[] targets, uint256[] values, bytes[] calldatas, bytes32 descriptionHash) returns (uint256)',
    'function queue(uint256 proposalId)',
    'function execute(address[] targets, uint256[] values, bytes[] calldatas, bytes32 descriptionHash) payable returns (uint256)',
    'function execute(uint256 proposalId) payable',
    'function cancel(uint256 proposalId)',
    'function castVote(uint256 proposalId, uint8 support) returns (uint256)',
    'function castVoteWithReason(uint256 proposalId, uint8 support, string reason) returns (uint256)',
    'function castVoteBySig(uint256 proposalId, uint8 support, uint8 v, bytes32 r, bytes32 s) returns (uint256)',
  ],
}
