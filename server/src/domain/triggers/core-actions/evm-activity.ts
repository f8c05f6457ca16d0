/** What happens to a contract: calls, changes of control, silence, floods and blocks. */
import type { CoreAction } from '@tocsin/contract'
import { at, blockLink, evmAddress, nullableText, transactionLink } from './fields.ts'

const where = 'transactionHash: source.transactionHash, blockNumber: source.blockNumber'
const whereSchema = { transactionHash: 'string', blockNumber: 'integer' }

/** The function is an example that every token has. The builder replaces it with the author's function. */
export const functionCalled: CoreAction = {
  type: 'function_called',
  title: 'Function called',
  description:
    'A transaction called a function of a contract. Enter the ABI and the contract address. The example watches token transfers.',
  kind: 'evm',
  triggerSpec: {
    type: 'evm_call',
    dataSource: 'common.ethereum',
    method: 'transfer(address,uint256)',
    abiFragment: 'function transfer(address to, uint256 value) returns (bool)',
  },
  inputs: {},
  filtersSchema: {
    contract: at('address', evmAddress, 'The contract'),
    from: at('from', evmAddress, 'The caller'),
  },
  outputSchema: {
    raw: { contract: evmAddress, from: evmAddress, method: 'string', params: 'object', ...whereSchema },
  },
  transform: {
    language: 'javascript',
    rawSource:
      '({ contract: source.address, from: source.from, method: source.method ?? source.methodId, params: source.params, transactionHash: source.transactionHash, blockNumber: source.block.number })',
  },
  defaults: {
    title: '{{raw.method}} called',
    short: '{{address raw.from}} called {{raw.method}} of {{address raw.contract}}',
    long: '{{address raw.from}} called {{raw.method}} of {{address raw.contract}}\n{{yaml raw.params}}\nTransaction {{raw.transactionHash}}',
    links: transactionLink,
  },
}

const controlEvents = [
  'event OwnershipTransferred(address indexed previousOwner, address indexed newOwner)',
  'event Upgraded(address indexed implementation)',
  'event AdminChanged(address previousAdmin, address newAdmin)',
  'event RoleGranted(bytes32 indexed role, address indexed account, address indexed sender)',
]

const eventOutput = {
  outputSchema: { raw: { contract: evmAddress, event: 'string', params: 'object', ...whereSchema } },
  transform: {
    language: 'javascript' as const,
    rawSource: `({ contract: source.address, event: source.event, params: source.params, ${where} })`,
  },
}

const eventDefaults = {
  title: '{{raw.event}}',
  short: '{{raw.event}} of {{address raw.contract}}',
  long: '{{raw.event}} of {{address raw.contract}}\n{{yaml raw.params}}\nTransaction {{raw.transactionHash}}',
  links: transactionLink,
}

export const controlChanged: CoreAction = {
  ...eventOutput,
  type: 'control_changed',
  title: 'Ownership changed or proxy upgraded',
  description: 'The owner, the admin, a role or the implementation of a contract changed.',
  kind: 'evm',
  triggerSpec: { type: 'evm_log', dataSource: 'common.ethereum', abiFragment: controlEvents },
  inputs: {},
  filtersSchema: {
    contract: at('address', evmAddress, 'The contract'),
    event: at(
      'event',
      { type: 'enum', enum: ['OwnershipTransferred', 'Upgraded', 'AdminChanged', 'RoleGranted'] },
      'What changed',
    ),
  },
  defaults: { ...eventDefaults, severity: 'critical' },
}

/** The events are an example that every token emits. The builder replaces them with the author's events. */
export const nothingHappened: CoreAction = {
  ...eventOutput,
  type: 'nothing_happened',
  title: 'Nothing happened for a time',
  description:
    'No event of a contract for a time. The subscription sets the time. The example watches token transfers.',
  kind: 'evm',
  triggerSpec: {
    type: 'evm_log',
    dataSource: 'common.ethereum',
    abiFragment: 'event Transfer(address indexed from, address indexed to, uint256 value)',
    topicsCount: 3,
  },
  inputs: {},
  filtersSchema: { contract: at('address', evmAddress, 'The contract') },
  policy: { type: 'absence', within: '1h' },
  defaults: { ...eventDefaults, severity: 'warning' },
}

export const tooMany: CoreAction = {
  type: 'too_many',
  title: 'Too many in a time',
  description:
    'More calls of a contract than expected. The subscription sets the number and the time. The example watches failed calls.',
  kind: 'evm',
  triggerSpec: { type: 'evm_call', dataSource: 'common.ethereum', success: false },
  inputs: {},
  filtersSchema: {
    contract: at('address', evmAddress, 'The contract'),
    from: at('from', evmAddress, 'The caller'),
  },
  outputSchema: { raw: { contract: nullableText, from: evmAddress, methodId: nullableText, ...whereSchema } },
  transform: {
    language: 'javascript',
    rawSource:
      '({ contract: source.address, from: source.from, methodId: source.methodId, transactionHash: source.transactionHash, blockNumber: source.block.number })',
  },
  policy: { type: 'count', count: 5, within: '10m' },
  defaults: {
    title: 'Too many failed calls',
    short: 'Too many failed calls of {{address raw.contract}}',
    long: 'Too many failed calls of {{address raw.contract}}. The last one is from {{address raw.from}}.\nTransaction {{raw.transactionHash}}',
    links: transactionLink,
    severity: 'warning',
  },
}

export const newBlock: CoreAction = {
  type: 'new_block',
  title: 'New block',
  description: 'Every block whose number is divisible by a number.',
  kind: 'evm',
  triggerSpec: { type: 'evm_block', dataSource: 'common.ethereum', every: 100 },
  inputs: {},
  filtersSchema: {},
  outputSchema: { raw: { number: 'integer', hash: 'string', timestamp: 'integer', transactionsCount: 'integer' } },
  transform: {
    language: 'javascript',
    rawSource:
      '({ number: source.number, hash: source.hash, timestamp: source.timestamp, transactionsCount: source.transactionsCount })',
  },
  defaults: {
    title: 'New block',
    short: 'Block {{raw.number}}',
    long: 'Block {{raw.number}} has {{raw.transactionsCount}} transactions\n{{raw.hash}}',
    links: blockLink,
  },
}
