/** What people come for: the cards on the home page and under Watch. */
export const goalTexts = {
  wallet: { title: 'Watch a wallet', about: 'Money in and out, NFTs, approvals' },
  contract: { title: 'Watch a contract', about: 'Upgrades, transfers, failures, silence' },
  price: { title: 'Watch a price', about: 'A bound, a sudden change, an old price' },
  balance: { title: 'Watch a balance', about: 'Too little or too much in an account' },
  staking: { title: 'Watch a validator or staking account', about: 'Rewards, slashes, missing rewards' },
  governance: { title: 'Watch governance', about: 'New proposals, outcomes, votes' },
} as const

/** The way in for people who have an address and want to see what is there. */
export const addressTexts = { title: 'Watch an address', about: 'Paste it, see what it does, get alerts' } as const

/** What people of a workspace have to know of its own parts. */
export const healthTexts = {
  title: 'Tell me when a monitor or a node stops',
  about: 'Triggers, sources and destinations of this workspace',
} as const

export type GoalName = keyof typeof goalTexts
