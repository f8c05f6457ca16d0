import { atLeast, equals, sentOrReceived } from '../conditions.ts'
import { type ChainGoals, type Choice, directionTexts, leastText } from '../goal.ts'
import { coinDecimals, coinName } from '../units.ts'
import { coinBalance } from './balances.ts'

const transfers: Choice = {
  value: 'transfers',
  label: 'Transfers',
  about: 'Transfers of the native coin.',
  fields: ['direction', 'least'],
  unit: 'coin',
  says: (answers, wallet) =>
    `${wallet} ${directionTexts[answers.direction]} ${coinName(answers.source)}${leastText(answers, coinName(answers.source))}`,
  parts: (answers) => [
    {
      action: 'balances_transfer',
      what: 'transfers',
      conditions: [
        sentOrReceived(answers, 'source.params.from', 'source.params.to'),
        ...atLeast(answers, 'source.params.amount', coinDecimals(answers.source)),
      ],
    },
  ],
}

/** A pallet stores the balance in the smallest unit, and the network says how many decimals it has. */
const substrateCoin: Choice = {
  ...coinBalance,
  about: 'How much of the native coin the account has, without what it has reserved.',
  parts: ({ source, subject, side, bound }) => [
    {
      action: 'substrate_balance',
      what: 'balance',
      inputs: { account: subject, ...coinDecimals(source) },
      policy: { type: 'threshold', value: 'balance', [side]: bound },
    },
  ],
}

const reward: Choice = {
  value: 'reward',
  label: 'Rewards',
  about: 'The account gets a staking reward.',
  fields: ['least'],
  unit: 'coin',
  says: (answers, account) => `${account} gets a staking reward${leastText(answers, coinName(answers.source))}`,
  parts: (answers) => [
    {
      action: 'staking_reward',
      what: 'rewards',
      conditions: [
        ...equals('source.params.stash', answers.subject),
        ...atLeast(answers, 'source.params.amount', coinDecimals(answers.source)),
      ],
    },
  ],
}

const slash: Choice = {
  value: 'slash',
  label: 'Slashes',
  about: 'The account loses funds because its validator misbehaved.',
  fields: [],
  says: (_, account) => `${account} is slashed`,
  parts: ({ subject }) => [
    { action: 'staking_slash', what: 'slashes', conditions: equals('source.params.staker', subject) },
  ],
}

const missing: Choice = {
  value: 'missing',
  label: 'Missing rewards',
  about: 'No reward for a time. The validator may be offline.',
  fields: ['within'],
  initial: { within: '2d' },
  says: ({ within }, account) => `${account} gets no staking reward for ${within}`,
  parts: ({ subject, within }) => [
    {
      action: 'staking_reward',
      what: 'missing rewards',
      conditions: equals('source.params.stash', subject),
      policy: { type: 'absence', within },
    },
  ],
}

const referenda: Choice = {
  value: 'referenda',
  label: 'New referenda',
  about: 'Somebody submits a referendum.',
  fields: [],
  says: ({ source }) => `somebody submits a referendum on ${source.title}`,
  parts: () => [{ action: 'referendum_submitted', what: 'new referenda' }],
}

const referendumVotes: Choice = {
  value: 'votes',
  label: 'Votes',
  about: 'An account votes on an open referendum.',
  fields: [],
  says: ({ subject }, account) => `${subject === '' ? 'somebody' : account} votes on a referendum`,
  parts: ({ subject }) => [
    { action: 'governance_vote', what: 'votes', conditions: equals('source.params.who', subject) },
  ],
}

const palletCalls: Choice = {
  value: 'calls',
  label: 'Every call',
  about: 'Each call of the pallet, also inside batches, proxies and multisigs.',
  fields: [],
  says: (_, pallet) => `somebody calls the pallet ${pallet}`,
  parts: ({ subject }) => [{ action: 'substrate_call', what: 'calls', spec: { pallet: subject, call: undefined } }],
}

export const substrateGoals: ChainGoals = {
  kind: 'substrate',
  atAddress: ['wallet', 'balance', 'staking', 'governance'],
  goals: {
    wallet: {
      subject: { label: 'Account', example: '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY' },
      choices: [transfers],
    },
    contract: { subject: { label: 'Pallet', example: 'Balances', isName: true }, choices: [palletCalls] },
    balance: {
      subject: { label: 'Account', example: '15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5' },
      choices: [substrateCoin],
    },
    staking: {
      subject: { label: 'Staking account', example: '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY' },
      choices: [reward, slash, missing],
    },
    governance: {
      subject: {
        label: 'Voter',
        description: 'For votes of one account. Leave it empty for all.',
        example: '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY',
        isOptional: true,
      },
      choices: [referenda, referendumVotes],
    },
  },
}
