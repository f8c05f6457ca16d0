import type { Condition } from '@tocsin/contract'
import { goalTexts } from '../../../../layouts/watch/goal-texts.ts'
import { equals } from '../conditions.ts'
import type { Answers, Choice, Goal, Part } from '../goal.ts'

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

export const governance: Goal = {
  name: 'governance',
  ...goalTexts.governance,
  kinds: {
    evm: {
      subject: { label: 'Governor contract', example: '0x408ED6354d4973f66138C91495F2f2FCbd8724C3' },
      choices: [proposals, outcomes, votes],
    },
    substrate: {
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
