import { goalTexts } from '../../../../layouts/watch/goal-texts.ts'
import type { Choice, Goal } from '../goal.ts'
import { groupThousands } from '../group-thousands.ts'
import { coinDecimals, coinName } from '../units.ts'

const coin: Choice = {
  value: 'coin',
  label: 'Coin',
  about: 'How much of the native coin, such as ether, the account has.',
  fields: ['bound'],
  unit: 'coin',
  says: ({ source, side, bound }, account) =>
    `the balance of ${account} is ${side} ${groupThousands(bound)} ${coinName(source)}`,
  parts: ({ subject, side, bound }) => [
    {
      action: 'native_balance',
      what: 'balance',
      inputs: { account: subject },
      policy: { type: 'threshold', value: 'balance', [side]: bound },
    },
  ],
}

/** A pallet stores the balance in the smallest unit, and the network says how many decimals it has. */
const substrateCoin: Choice = {
  ...coin,
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

const token: Choice = {
  value: 'token',
  label: 'Token',
  about: 'How many tokens the account has, in whole tokens.',
  fields: ['token', 'bound'],
  unit: 'token',
  says: ({ side, bound }, account) => `the balance of ${account} is ${side} ${groupThousands(bound)} tokens`,
  parts: ({ subject, token, side, bound }) => [
    {
      action: 'token_balance',
      what: 'token balance',
      inputs: { account: subject, token },
      policy: { type: 'threshold', value: 'balance', [side]: bound },
    },
  ],
}

const solanaCoin: Choice = {
  ...coin,
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
  ...token,
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

export const balance: Goal = {
  name: 'balance',
  ...goalTexts.balance,
  kinds: {
    evm: {
      subject: { label: 'Account', example: '0x742d35Cc6634C0532925a3b844Bc454e4438f44e' },
      choices: [coin, token],
    },
    substrate: {
      subject: { label: 'Account', example: '15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5' },
      choices: [substrateCoin],
    },
    solana: {
      subject: { label: 'Wallet', example: '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin' },
      choices: [solanaCoin, solanaToken],
    },
  },
}
