import { equals } from '../conditions.ts'
import type { ChainGoals, Choice } from '../goal.ts'
import { coinBalance, tokenBalance } from './balances.ts'

const signed: Choice = {
  value: 'signed',
  label: 'Token transfers',
  about: 'Transfers of tokens that the wallet signs.',
  fields: [],
  says: (_, wallet) => `${wallet} sends tokens`,
  parts: ({ subject }) => [
    { action: 'spl_transfer', what: 'token transfers', conditions: equals('source.params.authority', subject) },
  ],
}

const solanaCoin: Choice = {
  ...coinBalance,
  about: 'How much of the native coin, such as SOL, the wallet has. It is read every minute.',
  parts: ({ source, subject, side, bound }) => [
    {
      action: 'solana_balance',
      what: 'balance',
      inputs: { account: subject, ...(source.nativeCurrency && { symbol: source.nativeCurrency.symbol }) },
      policy: { type: 'threshold', value: 'balance', [side]: bound },
    },
  ],
}

const solanaToken: Choice = {
  ...tokenBalance,
  about: 'How many tokens of a mint the wallet has, in whole tokens. They are read every minute.',
  parts: ({ subject, token, side, bound }) => [
    {
      action: 'spl_balance',
      what: 'token balance',
      inputs: { account: subject, mint: token },
      policy: { type: 'threshold', value: 'balance', [side]: bound },
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

export const solanaGoals: ChainGoals = {
  kind: 'solana',
  token: { label: 'Mint of the token', example: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v' },
  atAddress: ['wallet', 'balance', 'contract'],
  titles: { contract: 'Watch this program' },
  goals: {
    wallet: {
      subject: { label: 'Wallet address', example: '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin' },
      choices: [signed],
    },
    contract: {
      subject: { label: 'Program address', example: 'JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4' },
      choices: [instructions],
    },
    balance: {
      subject: { label: 'Wallet', example: '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin' },
      choices: [solanaCoin, solanaToken],
    },
  },
}
