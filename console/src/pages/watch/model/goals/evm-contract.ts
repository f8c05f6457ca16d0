import { type Condition, parseDurationMs } from '@tocsin/contract'
import { atLeast, ofEmitter } from '../conditions.ts'
import { type Answers, type Choice, leastText, type Part } from '../goal.ts'
import { groupThousands } from '../group-thousands.ts'

const control: Choice = {
  value: 'control',
  label: 'Owner, roles and upgrades',
  about: 'The owner, an admin, a role or the code behind the contract changes.',
  fields: [],
  says: (_, contract) => `the owner, a role or the code of ${contract} changes`,
  parts: ({ subject }) => [{ action: 'control_changed', what: 'changes of control', spec: { contract: subject } }],
}

const transfers: Choice = {
  value: 'transfers',
  label: 'Token transfers',
  about: 'For a token contract: transfers over an amount.',
  fields: ['least'],
  unit: 'token',
  says: (answers, contract) => `tokens of ${contract}${leastText(answers, 'tokens')} move`,
  parts: (answers) => [
    {
      action: 'erc20_transfer',
      what: 'token transfers',
      spec: { contract: answers.subject },
      conditions: atLeast(answers, 'source.params.value', ofEmitter),
    },
  ],
}

const events: Choice = {
  value: 'events',
  label: 'Every event',
  about: 'Each event that the contract emits, also if its interface is not known.',
  fields: [],
  says: (_, contract) => `${contract} emits an event`,
  parts: ({ subject }) => [
    { action: 'contract_event', what: 'events', spec: { contract: subject, abiFragment: undefined } },
  ],
}

const calls: Choice = {
  value: 'calls',
  label: 'Every call',
  about: 'Each transaction that calls the contract.',
  fields: [],
  says: (_, contract) => `a transaction calls ${contract}`,
  parts: ({ subject }) => [
    {
      action: 'function_called',
      what: 'calls',
      spec: { contract: subject, method: undefined, abiFragment: undefined },
    },
  ],
}

const failures: Choice = {
  value: 'failures',
  label: 'Many failed calls',
  about: 'More calls fail than you expect. Often the first sign of an attack or an outage.',
  fields: ['count', 'within'],
  says: ({ count, within }, contract) => `${count} calls of ${contract} fail within ${within}`,
  parts: ({ subject, count, within }) => [
    {
      action: 'too_many',
      what: 'failed calls',
      spec: { contract: subject },
      policy: { type: 'count', count: Number(count), within },
    },
  ],
}

const silence: Choice = {
  value: 'silence',
  label: 'Silence',
  about: 'The contract emits no event for a time.',
  fields: ['within'],
  says: ({ within }, contract) => `${contract} emits no event for ${within}`,
  parts: ({ subject, within }) => [
    {
      action: 'nothing_happened',
      what: 'silence',
      spec: { contract: subject, abiFragment: undefined, topicsCount: undefined },
      policy: { type: 'absence', within },
    },
  ],
}

/** Events of one kind of contract, by their human-readable ABI. */
function eventsOf(what: string, abiFragment: string[]): Choice['parts'] {
  return ({ subject }) => [{ action: 'contract_event', what, spec: { contract: subject, abiFragment } }]
}

const executions: Choice = {
  value: 'executions',
  label: 'What a Safe executes',
  about: 'For a Safe: its owners execute a transaction, with its target, value and data.',
  fields: [],
  says: (_, contract) => `${contract} executes a transaction`,
  parts: ({ subject }) => [
    {
      action: 'function_called',
      what: 'executed transactions',
      spec: {
        contract: subject,
        method: 'execTransaction',
        abiFragment:
          'function execTransaction(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, bytes signatures) payable returns (bool)',
      },
    },
  ],
}

const scheduled: Choice = {
  value: 'scheduled',
  label: 'Scheduled calls',
  about: 'For a timelock: a call is scheduled, executed or cancelled, or the delay changes.',
  fields: [],
  says: (_, contract) => `a call is scheduled, executed or cancelled in ${contract}, or its delay changes`,
  parts: eventsOf('scheduled calls', [
    'event CallScheduled(bytes32 indexed id, uint256 indexed index, address target, uint256 value, bytes data, bytes32 predecessor, uint256 delay)',
    'event CallExecuted(bytes32 indexed id, uint256 indexed index, address target, uint256 value, bytes data)',
    'event Cancelled(bytes32 indexed id)',
    'event MinDelayChange(uint256 oldDuration, uint256 newDuration)',
  ]),
}

const vault: Choice = {
  value: 'vault',
  label: 'Deposits and withdrawals',
  about: 'For an ERC-4626 vault: somebody deposits or withdraws.',
  fields: [],
  says: (_, contract) => `somebody deposits into ${contract} or withdraws from it`,
  parts: eventsOf('deposits and withdrawals', [
    'event Deposit(address indexed sender, address indexed owner, uint256 assets, uint256 shares)',
    'event Withdraw(address indexed sender, address indexed receiver, address indexed owner, uint256 assets, uint256 shares)',
  ]),
}

const swaps: Choice = {
  value: 'swaps',
  label: 'Swaps',
  about: 'For a pool of Uniswap v2 or v3, or one like it: somebody swaps.',
  fields: [],
  says: (_, contract) => `somebody swaps in ${contract}`,
  parts: eventsOf('swaps', [
    'event Swap(address indexed sender, uint256 amount0In, uint256 amount1In, uint256 amount0Out, uint256 amount1Out, address indexed to)',
    'event Swap(address indexed sender, address indexed recipient, int256 amount0, int256 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick)',
  ]),
}

const permissions: Choice = {
  value: 'permissions',
  label: 'Permissions',
  about:
    'For an access manager: a role is granted or revoked, a function gets another role, or an operation is scheduled.',
  fields: [],
  says: (_, contract) => `a permission in ${contract} changes, or an operation is scheduled`,
  parts: eventsOf('permissions', [
    'event RoleGranted(uint64 indexed roleId, address indexed account, uint32 delay, uint48 since, bool newMember)',
    'event RoleRevoked(uint64 indexed roleId, address indexed account)',
    'event TargetFunctionRoleUpdated(address indexed target, bytes4 selector, uint64 indexed roleId)',
    'event TargetClosed(address indexed target, bool closed)',
    'event OperationScheduled(bytes32 indexed operationId, uint32 indexed nonce, uint48 schedule, address caller, address target, bytes data)',
  ]),
}

const general = [control, transfers, events, calls, failures, silence]

export const contractChoices = [...general, executions, scheduled, vault, swaps, permissions]

function governor({ subject }: Answers, what: string, events: string[]): Part[] {
  const conditions: Condition[] = [{ param: 'source.event', op: 'in', value: events }]
  return [{ action: 'governor_event', what, spec: { contract: subject }, conditions }]
}

const proposals: Choice = {
  value: 'proposals',
  label: 'New proposals',
  about: 'Somebody makes a proposal.',
  fields: [],
  says: (_, contract) => `somebody makes a proposal in ${contract}`,
  parts: (answers) => governor(answers, 'new proposals', ['ProposalCreated']),
}

const outcomes: Choice = {
  value: 'outcomes',
  label: 'Outcomes',
  about: 'A proposal is queued, executed or cancelled.',
  fields: [],
  says: (_, contract) => `a proposal of ${contract} is queued, executed or cancelled`,
  parts: (answers) => governor(answers, 'outcomes', ['ProposalQueued', 'ProposalExecuted', 'ProposalCanceled']),
}

const votes: Choice = {
  value: 'votes',
  label: 'Votes',
  about: 'Somebody votes on a proposal.',
  fields: [],
  says: (_, contract) => `somebody votes on a proposal of ${contract}`,
  parts: (answers) => governor(answers, 'votes', ['VoteCast']),
}

export const governorChoices = [proposals, outcomes, votes]

const bound: Choice = {
  value: 'bound',
  label: 'Over or under a price',
  about: 'One alert when the price passes your bound, and one when it is back.',
  fields: ['bound'],
  unit: 'none',
  says: ({ side, bound }, feed) => `the price of ${feed} is ${side} ${groupThousands(bound)}`,
  parts: ({ subject, side, bound }) => [
    {
      action: 'price_bound',
      what: 'price',
      inputs: { feed: subject },
      policy: { type: 'threshold', value: 'price', [side]: bound },
    },
  ],
}

const change: Choice = {
  value: 'change',
  label: 'A sudden change',
  about: 'The price rises or falls by a percentage within a time.',
  fields: ['percent', 'within'],
  says: ({ percent, within }, feed) => `the price of ${feed} changes by ${percent} % within ${within}`,
  parts: ({ subject, percent, within }) => [
    {
      action: 'price_bound',
      what: 'price changes',
      inputs: { feed: subject },
      policy: { type: 'change', value: 'price', by: `${percent}%`, within },
    },
  ],
}

const stale: Choice = {
  value: 'stale',
  label: 'An old price',
  about: 'The feed has no new price for too long.',
  fields: ['within'],
  says: ({ within }, feed) => `the price of ${feed} is older than ${within}`,
  parts: ({ subject, within }) => [
    {
      action: 'price_stale',
      what: 'age of the price',
      inputs: { feed: subject },
      policy: { type: 'threshold', value: 'ageSeconds', above: (parseDurationMs(within) ?? 0) / 1000 },
    },
  ],
}

export const priceChoices = [bound, change, stale]
