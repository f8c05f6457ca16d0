import type { Provider } from '@tocsin/contract'
import { UpstreamError } from '../../outbound/upstream-error.ts'
import type { BlockRef } from '../block.ts'
import { isSolanaAddress } from './address.ts'
import { textOf } from './bytes.ts'
import { type Ask, commitment, readField, requireNumber, unreadable } from './calls.ts'
import { accountDecoders } from './idl/decoders.ts'
import { deriveAddress } from './pda.ts'

export type AccountProvider = Extract<Provider, { type: 'solana_account' }>

/** The value of a `solana_account` provider. Lamports and epochs are 64-bit integers, so they are decimal strings. */
export type Account = {
  account: string
  exists: boolean
  owner: string | null
  lamports: string
  executable: boolean
  rentEpoch: string | null
  /** Solana keeps no history of accounts, so the value is as of this slot: the item's slot or a later one. */
  slot: number
  /** Decoded by the IDL. Without an IDL the bytes, as hex unless `bytesEncoding` is base64. */
  data: unknown
}

export async function readAccount(ask: Ask, provider: Provider, at: BlockRef | undefined): Promise<Account> {
  if (provider.type !== 'solana_account') throw refused(`A Solana source has no ${provider.type}.`)
  const account = provider.pda ? await deriveAddress(provider.pda, provider.programId) : provider.account
  if (!isSolanaAddress(account)) throw refused(`${JSON.stringify(account).slice(0, 80)} is not a Solana address.`)
  // An error in the IDL is reported even if the node does not answer.
  const decode = await dataDecoder(provider)
  const { slot, state, data } = await fetchAccount(ask, account, at)
  if (!state) return { ...absent, account, slot }
  return { account, exists: true, ...state, slot, data: decode(data) }
}

const absent = { exists: false, owner: null, lamports: '0', executable: false, rentEpoch: null, data: null }

type FetchedAccount = { slot: number; state?: ReturnType<typeof readState>; data: string }

/** The account as of the item's slot or a later one. `state` is absent if there is no such account; `data` is base64. */
export function fetchAccount(ask: Ask, account: string, at: BlockRef | undefined): Promise<FetchedAccount> {
  const options = { commitment, encoding: 'base64', ...(at ? { minContextSlot: at.number } : {}) }
  return ask('getAccountInfo', [account, options], readInfo)
}

function readInfo(answer: unknown): FetchedAccount {
  const slot = requireNumber(readField(readField(answer, 'context'), 'slot'), 'getAccountInfo')
  const value = readField(answer, 'value')
  if (value === null) return { slot, data: '' }
  return { slot, state: readState(value), data: requireBase64(readField(value, 'data')) }
}

function readState(value: unknown): Pick<Account, 'owner' | 'lamports' | 'executable' | 'rentEpoch'> {
  const owner = readField(value, 'owner')
  const lamports = integerText(readField(value, 'lamports'))
  if (typeof owner !== 'string' || lamports === null) throw unreadable('getAccountInfo')
  const executable = readField(value, 'executable') === true
  return { owner, lamports, executable, rentEpoch: integerText(readField(value, 'rentEpoch')) }
}

/** Numbers beyond 2^53 already arrive as decimal strings. */
function integerText(value: unknown): string | null {
  if (typeof value === 'string' && /^\d+$/.test(value)) return value
  return typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : null
}

function requireBase64(data: unknown): string {
  if (Array.isArray(data) && data[1] === 'base64' && typeof data[0] === 'string') return data[0]
  throw unreadable('getAccountInfo')
}

/** Data of another account type is an error that the author must see, so it throws. */
async function dataDecoder(provider: AccountProvider): Promise<(base64: string) => unknown> {
  const { idl, accountName, bytesEncoding = 'hex' } = provider
  if (idl === undefined) return (base64) => textOf(Buffer.from(base64, 'base64'), bytesEncoding)
  const decoders = await accountDecoders(idl, accountName, bytesEncoding)
  const what = accountName === undefined ? 'any account of the IDL' : `the account ${accountName} of the IDL`
  return (base64) => {
    const bytes = Buffer.from(base64, 'base64')
    for (const { decode } of decoders) {
      const data = decode(bytes)
      if (data) return data
    }
    throw new UpstreamError('bad_answer', `The account's data (${bytes.length} bytes) is not that of ${what}.`)
  }
}

function refused(message: string): UpstreamError {
  return new UpstreamError('refused', message)
}
