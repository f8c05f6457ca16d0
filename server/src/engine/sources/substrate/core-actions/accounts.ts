import type { CoreAction } from '@tocsin/contract'
import {
  at,
  balance,
  blockLink,
  decimalText,
  inTransaction,
  nullableText,
  texts,
  transactionLink,
} from '../../action-fields.ts'
import { ss58Address } from './fields.ts'

const polkadotDecimals = 10
const where = 'blockNumber: source.block.number, index: source.index'
const whereSchema = { blockNumber: 'integer', index: 'integer' }

export const balancesTransfer: CoreAction = {
  type: 'balances_transfer',
  title: 'Balances transfer',
  description: 'A transfer of the native coin between two accounts.',
  kind: 'substrate',
  triggerSpec: { type: 'substrate_event', dataSource: 'common.polkadot', pallet: 'Balances', event: 'Transfer' },
  inputs: {},
  filtersSchema: {
    from: at('params.from', ss58Address, 'The sender'),
    to: at('params.to', ss58Address, 'The receiver'),
    amount: at('params.amount', balance(polkadotDecimals), 'The amount'),
  },
  outputSchema: {
    raw: { from: ss58Address, to: ss58Address, amount: balance(polkadotDecimals), ...whereSchema },
    human: { from: ss58Address, to: ss58Address, amount: 'string' },
  },
  transform: {
    language: 'javascript',
    rawSource: `({ from: source.params.from, to: source.params.to, amount: String(source.params.amount), ${where} })`,
    humanSource: `({ ...raw, amount: helpers.formatUnits(raw.amount, ${polkadotDecimals}) })`,
  },
  notSeen: ['Coins that are minted, burned, reserved or paid as fees, and assets of other pallets.'],
  defaults: {
    ...texts('{{token raw.amount token="native"}} moved from {{address raw.from}} to {{address raw.to}}'),
    links: blockLink,
  },
}

export const substrateBalance: CoreAction = {
  type: 'substrate_balance',
  title: 'Balance of an account',
  description: 'Reads the free balance of an account in the native coin. The subscription sets the bound.',
  kind: 'substrate',
  triggerSpec: { type: 'substrate_block', dataSource: 'common.polkadot', every: 10 },
  inputs: {
    account: { ...ss58Address, description: 'The account' },
    decimals: {
      type: 'integer',
      optional: true,
      description: `Decimals of the coin (${polkadotDecimals} if not given)`,
    },
  },
  filtersSchema: {},
  providers: [
    { id: 'account', type: 'substrate_storage', module: 'System', entry: 'Account', args: ['{{inputs.account}}'] },
  ],
  outputSchema: {
    raw: { account: ss58Address, balance: decimalText, units: 'string', symbol: 'string', blockNumber: 'integer' },
  },
  transform: {
    language: 'javascript',
    rawSource: `const units = String(providers.account.data.free)
return {
  account: inputs.account,
  balance: helpers.formatUnits(units, inputs.decimals ?? ${polkadotDecimals}),
  units,
  symbol: String(helpers.token('0', 'native')).replace(/^0 ?/, ''),
  blockNumber: source.number,
}`,
  },
  policy: { type: 'threshold', value: 'balance', below: '1' },
  notSeen: ['A balance that passes the bound and is back before the next read.'],
  defaults: {
    ...texts('{{address raw.account}} has {{token raw.units token="native"}}', { unit: 'raw.symbol' }),
    links: blockLink,
    severity: 'warning',
  },
}

export const stakingReward: CoreAction = {
  type: 'staking_reward',
  title: 'Staking reward',
  description: 'A staking reward was paid to an account.',
  kind: 'substrate',
  triggerSpec: { type: 'substrate_event', dataSource: 'common.polkadot', pallet: 'Staking', event: 'Rewarded' },
  inputs: {},
  filtersSchema: {
    stash: at('params.stash', ss58Address, 'The staker'),
    amount: at('params.amount', balance(polkadotDecimals), 'The reward'),
  },
  outputSchema: {
    raw: { stash: ss58Address, amount: balance(polkadotDecimals), ...whereSchema },
    human: { stash: ss58Address, amount: 'string' },
  },
  transform: {
    language: 'javascript',
    rawSource: `({ stash: source.params.stash, amount: String(source.params.amount), ${where} })`,
    humanSource: `({ ...raw, amount: helpers.formatUnits(raw.amount, ${polkadotDecimals}) })`,
  },
  notSeen: ['Rewards of nomination pools, and rewards that nobody has paid out yet.'],
  defaults: {
    ...texts('{{address raw.stash}} was paid {{token raw.amount token="native"}} for staking'),
    links: blockLink,
  },
}

/** Runtimes before 2025 do not name the poll, so it is optional. */
export const governanceVote: CoreAction = {
  type: 'governance_vote',
  title: 'Governance vote',
  description: 'An account voted on an open referendum.',
  kind: 'substrate',
  triggerSpec: { type: 'substrate_event', dataSource: 'common.polkadot', pallet: 'ConvictionVoting', event: 'Voted' },
  inputs: {},
  filtersSchema: {
    who: at('params.who', ss58Address, 'The voter'),
    poll: { ...pollField(), sourcePath: 'params.poll_index', description: 'The referendum' },
  },
  outputSchema: { raw: { who: ss58Address, vote: 'object', poll: pollField(), ...whereSchema } },
  transform: {
    language: 'javascript',
    rawSource: `({ who: source.params.who, vote: source.params.vote, poll: source.params.poll_index, ${where} })`,
  },
  notSeen: ["Delegated votes: only the delegate's own vote emits this event."],
  defaults: {
    ...texts('{{address raw.who}} voted{{#if raw.poll}} on referendum {{raw.poll}}{{/if}}', {
      more: '\n{{values raw.vote}}',
    }),
    links: blockLink,
  },
}

/** The call is an example that every chain with balances has. The builder replaces it with the author's call. */
export const substrateCall: CoreAction = {
  type: 'substrate_call',
  title: 'Substrate call',
  description:
    'An extrinsic, or a call inside a batch, proxy or multisig. Enter pallet and call. The example watches transfers.',
  kind: 'substrate',
  triggerSpec: {
    type: 'substrate_call',
    dataSource: 'common.polkadot',
    pallet: 'Balances',
    call: 'transfer_keep_alive',
  },
  inputs: {},
  filtersSchema: { sender: at('sender', ss58Address, 'The account that signed') },
  outputSchema: {
    raw: {
      pallet: 'string',
      call: 'string',
      sender: nullableText,
      params: 'object',
      hash: 'string',
      path: 'string',
      ...whereSchema,
    },
  },
  transform: {
    language: 'javascript',
    rawSource: `({ pallet: source.pallet, call: source.call, sender: source.sender, params: source.params, hash: source.hash, path: source.path, ${where} })`,
  },
  notSeen: ['What a pallet does by itself, without a call.'],
  defaults: {
    ...texts('{{#if raw.sender}}{{address raw.sender}} called {{/if}}{{raw.pallet}}.{{raw.call}}', {
      more: `\n{{values raw.params}}${inTransaction}`,
    }),
    links: transactionLink,
  },
}

function pollField() {
  return { type: 'integer', optional: true }
}
