import type { CoreAction } from '@tocsin/contract'
import { decimalText, texts } from '../../action-fields.ts'
import { solanaAddress } from './fields.ts'

/** Solana has no item for each block, and a node has no history of accounts, so a timer reads what they hold now. */
const tick = { kind: 'timer' as const, triggerSpec: { type: 'timer' as const, interval: '1m' }, filtersSchema: {} }
const source = 'common.solana'
const account = { ...solanaAddress, description: 'The wallet' }
const severity = 'warning'

export const solanaBalance: CoreAction = {
  type: 'solana_balance',
  title: 'Balance on Solana',
  description: 'Reads every minute how much of the native coin a wallet has. The subscription sets the bound.',
  ...tick,
  inputs: {
    account,
    symbol: { type: 'string', optional: true, description: 'Symbol of the coin (SOL if not given)' },
  },
  providers: [{ id: 'account', type: 'solana_account', account: '{{inputs.account}}', source }],
  outputSchema: { raw: { account: solanaAddress, balance: decimalText, symbol: 'string', slot: 'integer' } },
  transform: {
    language: 'javascript',
    rawSource: `({
  account: inputs.account,
  balance: helpers.formatUnits(providers.account.lamports, 9),
  symbol: inputs.symbol ?? 'SOL',
  slot: providers.account.slot,
})`,
  },
  policy: { type: 'threshold', value: 'balance', below: '1' },
  notSeen: ['A balance that passes the bound and is back before the next read.'],
  defaults: {
    ...texts('{{address raw.account}} has {{number raw.balance}} {{raw.symbol}} on Solana', { unit: 'raw.symbol' }),
    severity,
  },
}

const associatedTokenProgram = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL'

/** The account that holds a wallet's tokens of one mint. Its address depends on the program of the token. */
function associatedAccount(id: string, tokenProgram: string) {
  const seeds = ['{{inputs.account}}', tokenProgram, '{{inputs.mint}}'].map((value) => ({ type: 'publicKey', value }))
  const pda = { programId: associatedTokenProgram, seeds }
  return { id, type: 'solana_account' as const, account: '', source, pda }
}

export const splBalance: CoreAction = {
  type: 'spl_balance',
  title: 'Token balance on Solana',
  description: 'Reads every minute how many tokens of a mint a wallet has. The subscription sets the bound.',
  ...tick,
  inputs: { account, mint: { ...solanaAddress, description: 'The mint of the token' } },
  providers: [
    { id: 'token', type: 'token_metadata', contract: '{{inputs.mint}}', source },
    associatedAccount('held', 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'),
    associatedAccount('held2022', 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb'),
  ],
  outputSchema: {
    raw: { mint: solanaAddress, symbol: 'string', account: solanaAddress, balance: decimalText, slot: 'integer' },
  },
  transform: {
    language: 'javascript',
    rawSource: `// A token account has its amount at byte 64, as 8 bytes with the lowest first.
const amountIn = ({ data }) => BigInt('0x' + ((data ?? '').slice(130, 146).match(/../g) ?? ['00']).reverse().join(''))
return {
  mint: inputs.mint,
  symbol: providers.token.symbol ?? 'tokens',
  account: inputs.account,
  balance: helpers.formatUnits(amountIn(providers.held) + amountIn(providers.held2022), providers.token.decimals ?? 0),
  slot: providers.held.slot,
}`,
  },
  policy: { type: 'threshold', value: 'balance', below: '1000' },
  notSeen: [
    'A balance that passes the bound and is back before the next read.',
    "Tokens that are not in the wallet's associated token account.",
  ],
  defaults: {
    ...texts('{{address raw.account}} has {{number raw.balance}} {{raw.symbol}} on Solana', { unit: 'raw.symbol' }),
    severity,
  },
}
