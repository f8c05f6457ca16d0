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

export const contractChoices = [control, transfers, events, calls, failures, silence]

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
