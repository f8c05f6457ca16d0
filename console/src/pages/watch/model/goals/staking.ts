import { goalTexts } from '../../../../layouts/watch/goal-texts.ts'
import { atLeast, equals } from '../conditions.ts'
import { type Choice, type Goal, leastText } from '../goal.ts'
import { coinDecimals, coinName } from '../units.ts'

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

export const staking: Goal = {
  name: 'staking',
  ...goalTexts.staking,
  kinds: {
    substrate: {
      subject: { label: 'Staking account', example: '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY' },
      choices: [reward, slash, missing],
    },
  },
}
