/** Values that are read at every few blocks. The policy of the subscription decides when a value is worth an alert. */
import type { CoreAction } from '@tocsin/contract'
import { blockLink, decimalText, texts } from '../../action-fields.ts'
import { evmAddress } from './fields.ts'

/** One read a minute on a chain with a block every 12 seconds. */
const tick = { type: 'evm_block' as const, dataSource: 'common.ethereum', every: 5 }
const where = 'blockNumber: source.number'
const whereSchema = { blockNumber: 'integer' }

/** The read is an example that every token answers. The builder replaces it with the author's function. */
const contractValue = {
  kind: 'evm' as const,
  triggerSpec: tick,
  inputs: {
    contract: { ...evmAddress, description: 'The contract to read' },
    decimals: { type: 'integer', optional: true, description: 'Decimals of the value (0 if not given)' },
  },
  filtersSchema: {},
  providers: [
    {
      id: 'value',
      type: 'evm_read' as const,
      contract: '{{inputs.contract}}',
      method: 'totalSupply()',
      abiFragment: 'function totalSupply() view returns (uint256)',
    },
  ],
  outputSchema: { raw: { contract: evmAddress, value: decimalText, ...whereSchema } },
  transform: {
    language: 'javascript' as const,
    rawSource: `({ contract: inputs.contract, value: helpers.formatUnits(providers.value, inputs.decimals ?? 0), ${where} })`,
  },
}

export const contractValueBound: CoreAction = {
  ...contractValue,
  type: 'contract_value_bound',
  title: 'Contract value over or under a bound',
  description:
    'Reads a function of a contract once a minute. The subscription sets the bound. The example reads the total supply of a token.',
  policy: { type: 'threshold', value: 'value', below: '1000', for: '5m' },
  notSeen: ['A value that passes the bound and is back before the next read.'],
  defaults: {
    ...texts('The value of {{address raw.contract}} is {{number raw.value}}', {
      title: '{{address raw.contract}}: the value is {{number raw.value}}',
    }),
    links: blockLink,
    severity: 'warning',
  },
}

export const contractValueChange: CoreAction = {
  ...contractValue,
  type: 'contract_value_change',
  title: 'Contract value changed by a percentage',
  description:
    'Reads a function of a contract once a minute. The subscription sets the percentage and the time. The example reads the total supply of a token.',
  policy: { type: 'change', value: 'value', by: '10%', within: '1h' },
  notSeen: ['A change that is undone before the next read.'],
  defaults: {
    ...texts('The value of {{address raw.contract}} changed to {{number raw.value}}'),
    links: blockLink,
    severity: 'warning',
  },
}

export const nativeBalance: CoreAction = {
  type: 'native_balance',
  title: 'Native balance',
  description: 'Reads how much of the native coin, such as ether, an account has. The subscription sets the bound.',
  kind: 'evm',
  triggerSpec: tick,
  inputs: { account: { ...evmAddress, description: 'The account' } },
  filtersSchema: {},
  providers: [
    { id: 'block', type: 'javascript', source: "'0x' + source.number.toString(16)" },
    {
      id: 'balance',
      type: 'rpc',
      transport: 'source',
      method: 'eth_getBalance',
      params: ['{{inputs.account}}', '{{providers.block}}'],
    },
  ],
  outputSchema: {
    raw: { account: evmAddress, balance: decimalText, units: 'string', symbol: 'string', ...whereSchema },
  },
  transform: {
    language: 'javascript',
    rawSource: `({ account: inputs.account, balance: helpers.formatUnits(BigInt(providers.balance), 18), units: BigInt(providers.balance), symbol: String(helpers.token('0', 'native')).replace(/^0 ?/, ''), ${where} })`,
  },
  policy: { type: 'threshold', value: 'balance', below: '1' },
  notSeen: ['A balance that passes the bound and is back before the next read.'],
  defaults: {
    ...texts('{{address raw.account}} has {{token raw.units token="native"}}', { unit: 'raw.symbol' }),
    links: blockLink,
    severity: 'warning',
  },
}

export const tokenBalance: CoreAction = {
  type: 'token_balance',
  title: 'Token balance',
  description: 'Reads how many tokens an account has, in whole tokens. The subscription sets the bound.',
  kind: 'evm',
  triggerSpec: tick,
  inputs: {
    token: { ...evmAddress, description: 'The token contract' },
    account: { ...evmAddress, description: 'The account' },
  },
  filtersSchema: {},
  providers: [
    { id: 'token', type: 'token_metadata', contract: '{{inputs.token}}' },
    {
      id: 'balance',
      type: 'evm_read',
      contract: '{{inputs.token}}',
      method: 'balanceOf(address)',
      abiFragment: 'function balanceOf(address account) view returns (uint256)',
      args: ['{{inputs.account}}'],
    },
  ],
  outputSchema: {
    raw: { token: evmAddress, symbol: 'string', account: evmAddress, balance: decimalText, ...whereSchema },
  },
  transform: {
    language: 'javascript',
    rawSource: `({ token: inputs.token, symbol: providers.token.symbol ?? '', account: inputs.account, balance: helpers.formatUnits(providers.balance, providers.token.decimals ?? 0), ${where} })`,
  },
  policy: { type: 'threshold', value: 'balance', below: '1000' },
  notSeen: ['A balance that passes the bound and is back before the next read.'],
  defaults: {
    ...texts('{{address raw.account}} has {{number raw.balance}} {{raw.symbol}}', { unit: 'raw.symbol' }),
    links: blockLink,
    severity: 'warning',
  },
}

const price = {
  kind: 'evm' as const,
  triggerSpec: tick,
  inputs: {
    feed: { ...evmAddress, description: 'The price feed: a Chainlink aggregator, or a contract with its functions' },
  },
  filtersSchema: {},
  providers: [{ id: 'price', type: 'price' as const, feed: '{{inputs.feed}}' }],
  outputSchema: {
    raw: { feed: evmAddress, price: decimalText, ageSeconds: 'integer', updatedAt: 'string', ...whereSchema },
  },
  transform: {
    language: 'javascript' as const,
    rawSource: `({ feed: inputs.feed, price: providers.price.value, ageSeconds: Math.floor(providers.price.ageMs / 1000), updatedAt: providers.price.updatedAt, ${where} })`,
  },
}

export const priceBound: CoreAction = {
  ...price,
  type: 'price_bound',
  title: 'Price over or under a bound',
  description: 'Reads a price feed once a minute. The subscription sets the bound.',
  policy: { type: 'threshold', value: 'price', below: '1500' },
  notSeen: ['A price that the feed does not report, and one that passes the bound and is back before the next read.'],
  defaults: {
    ...texts('The price by {{address raw.feed}} is {{number raw.price}}', { more: '\nUpdated at {{raw.updatedAt}}' }),
    links: blockLink,
    severity: 'warning',
  },
}

export const priceStale: CoreAction = {
  ...price,
  type: 'price_stale',
  title: 'Price feed is stale',
  description:
    'Reads the age of the last answer of a price feed. The subscription sets how many seconds old it may be.',
  policy: { type: 'threshold', value: 'ageSeconds', above: '3600' },
  notSeen: ['A feed that is updated in time with a wrong price.'],
  defaults: {
    ...texts('The last price by {{address raw.feed}} is {{number raw.ageSeconds}} seconds old', {
      more: ': {{number raw.price}}',
      unit: '"seconds"',
    }),
    links: blockLink,
    severity: 'critical',
  },
}
