/** What happens to a contract: calls, changes of control, silence, floods and blocks. */
import type { CoreAction } from '@tocsin/contract'
import { at, balance, blockLink, inTransaction, nullableText, texts, transactionLink } from '../../action-fields.ts'
import { evmAddress } from './fields.ts'
import { eventDefaults } from './general.ts'

const where = 'transactionHash: source.transactionHash, blockNumber: source.blockNumber'
const whereSchema = { transactionHash: 'string', blockNumber: 'integer' }

const paid = '{{token raw.value token="native"}} sent to {{address raw.contract}}'
const reason = '{{#if raw.error}}. It failed: {{raw.error}}{{/if}}'
const called = `{{address raw.from}} {{#if raw.method}}called {{name raw.method}} on{{else}}sent {{token raw.value token="native"}} to{{/if}} {{address raw.contract}}${reason}`

/** Why a call failed, as a text: the reason, or the error with its values. */
const errorText =
  "source.error ? source.error.reason ?? (source.error.name ? source.error.name + '(' + Object.values(source.error.args ?? {}).join(', ') + ')' : source.error.selector) : null"

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
    raw: {
      contract: evmAddress,
      from: evmAddress,
      method: { type: ['string', 'null'], description: 'null for a call without data' },
      params: 'object',
      value: balance(18),
      error: { type: ['string', 'null'], optional: true, description: 'Why the call failed, if the node tells' },
      ...whereSchema,
    },
  },
  transform: {
    language: 'javascript',
    rawSource: `if (source.type === 'create') return null
return { contract: source.address, from: source.from, method: source.method ?? source.methodId, params: source.params, value: String(source.value), error: ${errorText}, transactionHash: source.transactionHash, blockNumber: source.block.number }`,
  },
  defaults: {
    ...texts(called, {
      title: `{{#if raw.error}}Failed: {{/if}}{{#if raw.method}}{{name raw.method}} called on {{address raw.contract}}{{else}}${paid}{{/if}}`,
      more: `{{#if raw.params}}\n{{values raw.params}}{{/if}}${inTransaction}`,
    }),
    links: transactionLink,
  },

  notSeen: [
    'Calls that other contracts make, unless internal is true and the source has traces.',
    'Calls that failed, unless success is false or "any".',
  ],
}

const controlEvents = {
  OwnershipTransferred: '(address indexed previousOwner, address indexed newOwner)',
  OwnershipTransferStarted: '(address indexed previousOwner, address indexed newOwner)',
  Upgraded: '(address indexed implementation)',
  BeaconUpgraded: '(address indexed beacon)',
  AdminChanged: '(address previousAdmin, address newAdmin)',
  RoleGranted: '(bytes32 indexed role, address indexed account, address indexed sender)',
  RoleRevoked: '(bytes32 indexed role, address indexed account, address indexed sender)',
  RoleAdminChanged: '(bytes32 indexed role, bytes32 indexed previousAdminRole, bytes32 indexed newAdminRole)',
}

const eventOutput = {
  outputSchema: { raw: { contract: evmAddress, event: 'string', params: 'object', ...whereSchema } },
  transform: {
    language: 'javascript' as const,
    rawSource: `({ contract: source.address, event: source.event, params: source.params, ${where} })`,
  },
}

export const controlChanged: CoreAction = {
  ...eventOutput,
  type: 'control_changed',
  title: 'Ownership changed or proxy upgraded',
  description: 'The owner, the admin, a role or the implementation of a contract changed, or a change of owner began.',
  kind: 'evm',
  triggerSpec: {
    type: 'evm_log',
    dataSource: 'common.ethereum',
    abiFragment: Object.entries(controlEvents).map(([name, inputs]) => `event ${name}${inputs}`),
  },
  inputs: {},
  filtersSchema: {
    contract: at('address', evmAddress, 'The contract'),
    event: at('event', { type: 'enum', enum: Object.keys(controlEvents) }, 'What changed'),
  },
  notSeen: [
    'Changes that the contract makes without one of these events, such as a Safe whose owners or threshold change.',
    'An upgrade of the implementation behind a beacon: the beacon emits it. Watch the beacon too.',
  ],
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
  notSeen: [
    'Calls that emit no event: they do not end the silence.',
    'Silence while the source cannot be read: it is told when the source is back, if it was real.',
  ],
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
  outputSchema: {
    raw: {
      contract: nullableText,
      from: evmAddress,
      methodId: nullableText,
      error: { type: ['string', 'null'], optional: true },
      ...whereSchema,
    },
  },
  transform: {
    language: 'javascript',
    rawSource: `({ contract: source.address, from: source.from, methodId: source.methodId, error: ${errorText}, transactionHash: source.transactionHash, blockNumber: source.block.number })`,
  },
  policy: { type: 'count', count: 5, within: '10m' },
  notSeen: ['Failed calls inside transactions that succeed.'],
  defaults: {
    ...texts(
      `Too many failed calls of {{address raw.contract}}. The last one: {{#if raw.methodId}}{{name raw.methodId}}{{else}}without data{{/if}}, from {{address raw.from}}${reason}`,
      {
        title:
          '{{#if policy.count}}{{number policy.count}}{{else}}Too many{{/if}} failed calls of {{address raw.contract}}',
        more: inTransaction,
      },
    ),
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
  notSeen: ['Blocks that another block replaced before the service read them.'],
  defaults: {
    ...texts('Block {{number raw.number}} has {{number raw.transactionsCount}} transactions', {
      title: 'Block {{number raw.number}}',
    }),
    links: blockLink,
  },
}
