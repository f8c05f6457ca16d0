import { goalTexts } from '../../../../layouts/watch/goal-texts.ts'
import { atLeast, ofEmitter } from '../conditions.ts'
import { type Choice, type Goal, leastText } from '../goal.ts'

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

const instructions: Choice = {
  value: 'instructions',
  label: 'Every instruction',
  about: 'Each transaction that runs the program.',
  fields: [],
  says: (_, program) => `a transaction runs ${program}`,
  parts: ({ subject }) => [
    {
      action: 'solana_instruction',
      what: 'instructions',
      spec: { programId: subject, instruction: undefined, idl: undefined },
    },
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

export const contract: Goal = {
  name: 'contract',
  ...goalTexts.contract,
  kinds: {
    evm: {
      subject: { label: 'Contract address', example: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48' },
      choices: [control, transfers, events, calls, failures, silence],
    },
    solana: {
      subject: { label: 'Program address', example: 'JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4' },
      choices: [instructions],
    },
    substrate: {
      subject: { label: 'Pallet', example: 'Balances', isName: true },
      choices: [palletCalls],
    },
  },
}
