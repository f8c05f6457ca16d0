import type { CoreAction } from '@tocsin/contract'
import { at, balance, decimalsInput, inTransaction, texts, tokenBalance, transactionLink } from '../../action-fields.ts'
import { evmAddress } from './fields.ts'

const where = 'transactionHash: source.transactionHash, blockNumber: source.blockNumber'
/** The amount by the token's own decimals, which its contract tells. */
const wholeTokens = "helpers.tokenUnits(raw.value, inputs.decimals) ?? raw.value + ' (decimals unknown)'"
const shownTokens = '{{token raw.value decimals=raw.decimals}}'
/** The decimals of the input, for a token that tells none. */
const given = '...(inputs.decimals !== undefined && { decimals: inputs.decimals })'
const givenSchema = { decimals: { type: 'integer', optional: true } }
const whereSchema = { transactionHash: 'string', blockNumber: 'integer' }

/** ERC-721 transfers have the same signature. Here the value is data; there the token id is a fourth topic. */
export const erc20Transfer: CoreAction = {
  type: 'erc20_transfer',
  title: 'ERC-20 transfer',
  description: 'A transfer of tokens between two addresses. Set contract to watch one token.',
  kind: 'evm',
  triggerSpec: {
    type: 'evm_log',
    dataSource: 'common.ethereum',
    event: 'Transfer',
    abiFragment: 'event Transfer(address indexed from, address indexed to, uint256 value)',
    topicsCount: 3,
    dataBytes: 32,
  },
  inputs: { decimals: decimalsInput },
  filtersSchema: {
    token: at('address', evmAddress, 'The token contract'),
    from: at('params.from', evmAddress, 'The sender'),
    to: at('params.to', evmAddress, 'The receiver'),
    value: at('params.value', tokenBalance, 'The amount, in whole tokens'),
  },
  outputSchema: {
    raw: { token: evmAddress, from: evmAddress, to: evmAddress, value: tokenBalance, ...whereSchema, ...givenSchema },
    human: { token: evmAddress, from: evmAddress, to: evmAddress, value: 'string' },
  },
  transform: {
    language: 'javascript',
    rawSource: `({ token: source.address, from: source.params.from, to: source.params.to, value: String(source.params.value), ${where}, ${given} })`,
    humanSource: `({ ...raw, value: ${wholeTokens} })`,
  },
  notSeen: ['Tokens that move without a Transfer event, such as balances that a token rebases.'],
  defaults: {
    ...texts(`${shownTokens} moved from {{address raw.from}} to {{address raw.to}}`, {
      more: `\nToken {{name raw.token}}${inTransaction}`,
    }),
    links: transactionLink,
  },
}

export const erc721Transfer: CoreAction = {
  type: 'erc721_transfer',
  title: 'ERC-721 transfer',
  description: 'A transfer of an NFT between two addresses. Set contract to watch one collection.',
  kind: 'evm',
  triggerSpec: {
    type: 'evm_log',
    dataSource: 'common.ethereum',
    event: 'Transfer',
    abiFragment: 'event Transfer(address indexed from, address indexed to, uint256 indexed tokenId)',
    topicsCount: 4,
    dataBytes: 0,
  },
  inputs: {},
  filtersSchema: {
    collection: at('address', evmAddress, 'The collection contract'),
    from: at('params.from', evmAddress, 'The sender'),
    to: at('params.to', evmAddress, 'The receiver'),
    tokenId: at('params.tokenId', 'string', 'The token id'),
  },
  outputSchema: {
    raw: { collection: evmAddress, from: evmAddress, to: evmAddress, tokenId: 'string', ...whereSchema },
  },
  transform: {
    language: 'javascript',
    rawSource: `({ collection: source.address, from: source.params.from, to: source.params.to, tokenId: String(source.params.tokenId), ${where} })`,
  },
  notSeen: ['Collections older than ERC-721, which have other events.'],
  defaults: {
    ...texts('#{{raw.tokenId}} of {{address raw.collection}} moved from {{address raw.from}} to {{address raw.to}}', {
      more: inTransaction,
    }),
    links: transactionLink,
  },
}

export const erc1155Transfer: CoreAction = {
  type: 'erc1155_transfer',
  title: 'ERC-1155 transfer',
  description: 'A transfer of one token of a multi-token contract between two addresses.',
  kind: 'evm',
  triggerSpec: {
    type: 'evm_log',
    dataSource: 'common.ethereum',
    event: 'TransferSingle',
    abiFragment:
      'event TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value)',
    topicsCount: 4,
    dataBytes: 64,
  },
  inputs: {},
  filtersSchema: {
    collection: at('address', evmAddress, 'The multi-token contract'),
    operator: at('params.operator', evmAddress, 'The caller of the transfer'),
    from: at('params.from', evmAddress, 'The sender'),
    to: at('params.to', evmAddress, 'The receiver'),
    id: at('params.id', 'string', 'The token id'),
    value: at('params.value', balance(0), 'The amount'),
  },
  outputSchema: {
    raw: {
      collection: evmAddress,
      operator: evmAddress,
      from: evmAddress,
      to: evmAddress,
      id: 'string',
      value: balance(0),
      ...whereSchema,
    },
  },
  transform: {
    language: 'javascript',
    rawSource: `({ collection: source.address, operator: source.params.operator, from: source.params.from, to: source.params.to, id: String(source.params.id), value: String(source.params.value), ${where} })`,
  },
  notSeen: ['Transfers of several tokens at once: they emit TransferBatch.'],
  defaults: {
    ...texts(
      '{{number raw.value}} of #{{raw.id}} of {{address raw.collection}} moved from {{address raw.from}} to {{address raw.to}}',
      { more: inTransaction },
    ),
    links: transactionLink,
  },
}

const allowance = `{{#if raw.unlimited}}an unlimited amount{{else}}${shownTokens}{{/if}}`

export const erc20Approval: CoreAction = {
  type: 'erc20_approval',
  title: 'ERC-20 approval',
  description: 'An owner approved a spender to transfer tokens.',
  kind: 'evm',
  triggerSpec: {
    type: 'evm_log',
    dataSource: 'common.ethereum',
    event: 'Approval',
    abiFragment: 'event Approval(address indexed owner, address indexed spender, uint256 value)',
    topicsCount: 3,
    dataBytes: 32,
  },
  inputs: { decimals: decimalsInput },
  filtersSchema: {
    token: at('address', evmAddress, 'The token contract'),
    owner: at('params.owner', evmAddress, 'The owner of the tokens'),
    spender: at('params.spender', evmAddress, 'The approved spender'),
    value: at('params.value', tokenBalance, 'The allowance, in whole tokens'),
  },
  outputSchema: {
    raw: {
      token: evmAddress,
      owner: evmAddress,
      spender: evmAddress,
      value: tokenBalance,
      unlimited: 'boolean',
      ...whereSchema,
      ...givenSchema,
    },
    human: { token: evmAddress, owner: evmAddress, spender: evmAddress, value: 'string' },
  },
  transform: {
    language: 'javascript',
    rawSource: `({ token: source.address, owner: source.params.owner, spender: source.params.spender, value: String(source.params.value), unlimited: BigInt(source.params.value) >= 2n ** 255n, ${where}, ${given} })`,
    humanSource: `({ ...raw, value: raw.unlimited ? 'unlimited' : (${wholeTokens}) })`,
  },
  notSeen: ['Allowances by Permit2: the token emits no Approval for them.'],
  defaults: {
    ...texts(`{{address raw.owner}} lets {{address raw.spender}} spend ${allowance}`, {
      more: `\nToken {{name raw.token}}${inTransaction}`,
    }),
    links: transactionLink,
  },
}
