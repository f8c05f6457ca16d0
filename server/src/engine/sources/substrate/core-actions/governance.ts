/** What happens in governance and staking beside votes and rewards. */
import type { CoreAction } from '@tocsin/contract'
import { at, balance, blockLink, texts } from '../../action-fields.ts'
import { ss58Address } from './fields.ts'

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
    ...texts('Referendum {{raw.referendum}} was submitted on track {{raw.track}}'),
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
    ...texts('{{address raw.staker}} lost {{token raw.amount token="native"}} by a slash'),
    links: blockLink,
    severity: 'critical',
  },
}
