import { parseDurationMs } from '@tocsin/contract'
import { goalTexts } from '../../../../layouts/watch/goal-texts.ts'
import type { Choice, Goal } from '../goal.ts'
import { groupThousands } from '../group-thousands.ts'

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

export const price: Goal = {
  name: 'price',
  ...goalTexts.price,
  note: 'Prices are read from Chainlink price feeds, which are contracts on EVM networks.',
  kinds: {
    evm: {
      subject: {
        label: 'Price feed',
        description: 'Choose a feed, or paste the address of a Chainlink price feed.',
        example: '0x5f4eC3Df9cbd43714FE2740f5E3616155c5b8419',
      },
      choices: [bound, change, stale],
    },
  },
}
