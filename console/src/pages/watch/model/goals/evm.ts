import type { GoalName } from '../../../../layouts/watch/goal-texts.ts'
import type { ChainGoals } from '../goal.ts'
import type { Inspected } from '../offers.ts'
import { contractChoices, governorChoices, priceChoices } from './evm-contract.ts'
import { balanceChoices, walletChoices } from './evm-wallet.ts'

export const evmGoals: ChainGoals = {
  kind: 'evm',
  token: { label: 'Token contract', example: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48' },
  atAddress: ['wallet', 'balance', 'contract'],
  goals: {
    wallet: {
      subject: { label: 'Wallet address', example: '0x742d35Cc6634C0532925a3b844Bc454e4438f44e' },
      choices: walletChoices,
    },
    contract: {
      subject: { label: 'Contract address', example: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48' },
      choices: contractChoices,
    },
    price: {
      subject: {
        label: 'Price feed',
        description: 'Choose a feed, or paste the address of a Chainlink price feed.',
        example: '0x5f4eC3Df9cbd43714FE2740f5E3616155c5b8419',
      },
      choices: priceChoices,
    },
    balance: {
      subject: { label: 'Account', example: '0x742d35Cc6634C0532925a3b844Bc454e4438f44e' },
      choices: balanceChoices,
    },
    governance: {
      subject: { label: 'Governor contract', example: '0x408ED6354d4973f66138C91495F2f2FCbd8724C3' },
      choices: governorChoices,
    },
  },
}

const ofKinds: Partial<Record<Inspected['kind'], readonly GoalName[]>> = {
  account: ['wallet', 'balance'],
  multisig: ['contract', 'wallet', 'balance'],
  'smart-account': ['wallet', 'contract', 'balance'],
  oracle: ['price', 'contract'],
  governor: ['governance', 'contract'],
}

/** The goals for what is at an address, the likeliest first. */
export function goalsOfKind(kind: Inspected['kind']): readonly GoalName[] {
  return ofKinds[kind] ?? ['contract']
}
