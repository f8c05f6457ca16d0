import { type Issue, type Provider, solanaDescription, type TriggerSpec } from '@tocsin/contract'
import { issueUnless } from '../../base/issue-unless.ts'
import { holdsPlaceholder } from '../../base/placeholders.ts'
import type { ChainRules, CheckedAddress, KnownNetwork } from '../chain-rules.ts'
import { caip2Name } from '../chain-rules.ts'
import { objectShape } from '../value-shape.ts'
import { isSolanaAddress } from './address.ts'
import { solanaCoreActions } from './core-actions/index.ts'
import { checkAccountIdl, checkEventIdl, checkInstructionIdl } from './idl/check-idl.ts'
import { itemShapes } from './idl/item-shapes.ts'

const mainnet = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d'

const placeFields = [
  ...['block.slot', 'block.hash', 'block.timestamp'],
  ...['transaction.index', 'transaction.signature', 'transaction.success', 'transaction.error'],
]

const accountShape = objectShape('account', 'account exists owner lamports executable rentEpoch slot data'.split(' '))

export const solanaRules: ChainRules = {
  description: solanaDescription,
  coreActions: solanaCoreActions,
  networks: { solana: { title: 'Solana', identity: { genesisHash: mainnet } } },
  specs: {
    solana_event: [...placeFields, 'index', 'programId', 'event', 'params'],
    solana_instruction: [
      ...[...placeFields, 'index', 'path', 'inner', 'programId', 'instruction'],
      ...['args', 'accounts', 'accountsRaw', 'signers', 'data'],
    ],
  },
  checkSpec: async (spec, path) => {
    if (spec.type === 'solana_event') return checkEvent(spec, path)
    return spec.type === 'solana_instruction' ? checkInstruction(spec, path) : []
  },
  itemShapes,
  resultShapes: async ({ type }) => (type === 'solana_account' ? [accountShape] : undefined),
  reads: {
    solana_account: ['source', 'account', 'programId', 'accountName', 'pda'],
    token_metadata: ['source', 'contract'],
  },
  checkRead,
  isReadingMethod: isSolanaReadingMethod,
  checkAddress,
  networkName: ({ genesisHash }) => caip2Name('solana', genesisHash),
  explorerPages: {
    transaction: 'tx',
    address: 'account',
    block: 'block',
    transactionPattern: '^[1-9A-HJ-NP-Za-km-z]{64,88}$',
    addressPattern: '^[1-9A-HJ-NP-Za-km-z]{32,44}$',
  },
  knownNetwork: ({ genesisHash = '' }) => knownSolanaNetworks.get(genesisHash),
  usualCurrency: { symbol: 'SOL', decimals: solanaDescription.coinDecimals },
}

const identifier = /^[A-Za-z_]\w*$/
const seedTypes = [
  ...['string', 'utf8', 'publicKey', 'pubkey', 'address', 'hex', 'bytes', 'base58', 'bool'],
  ...['u8', 'u16', 'u32', 'u64', 'u128'],
]

async function checkEvent(spec: Extract<TriggerSpec, { type: 'solana_event' }>, path: string): Promise<Issue[]> {
  const { programId, event, idl } = spec
  return [
    ...checkProgram(programId, path),
    ...issueUnless(event === undefined || identifier.test(event), `${path}.event`, 'must be the name of an event'),
    ...(idl === undefined ? [] : await checkEventIdl(idl, event, path)),
  ]
}

type InstructionSpec = Extract<TriggerSpec, { type: 'solana_instruction' }>

async function checkInstruction({ programId, instruction, idl }: InstructionSpec, path: string): Promise<Issue[]> {
  const isName = instruction === undefined || identifier.test(instruction)
  return [
    ...checkProgram(programId, path),
    ...issueUnless(isName, `${path}.instruction`, 'must be the name of an instruction'),
    ...(idl === undefined ? [] : await checkInstructionIdl(idl, instruction, path)),
  ]
}

function checkProgram(programId: string | undefined, path: string): Issue[] {
  const isProgram = programId === undefined || isSolanaAddress(programId)
  return issueUnless(isProgram, `${path}.programId`, 'must be a base58 address of 32 bytes')
}

/** An address has no checksum, and base58 has one spelling for each key, so the text is its own normal form. */
function checkAddress(address: string): CheckedAddress {
  return isSolanaAddress(address) ? { normal: address } : { refused: 'A Solana address is 32 bytes in base58.' }
}

async function checkRead(provider: Provider, path: string): Promise<Issue[]> {
  if (provider.type === 'token_metadata') {
    const isMint = isSolanaAddress(provider.contract) || holdsPlaceholder(provider.contract)
    return issueUnless(isMint, `${path}.contract`, addressMessage)
  }
  return provider.type === 'solana_account' ? checkAccount(provider, path) : []
}

const addressMessage = 'must be a base58 address of 32 bytes or a placeholder'

async function checkAccount(provider: Extract<Provider, { type: 'solana_account' }>, path: string): Promise<Issue[]> {
  const { account, programId, pda, idl, accountName } = provider
  // A program-derived address is computed from its seeds, and then `account` says nothing.
  const addresses = { account: pda ? undefined : account, programId, 'pda.programId': pda?.programId }
  const isRight = (text: string | undefined) => text === undefined || isSolanaAddress(text) || holdsPlaceholder(text)
  return [
    ...Object.entries(addresses).flatMap(([field, text]) =>
      issueUnless(isRight(text), `${path}.${field}`, addressMessage),
    ),
    ...checkSeeds(pda?.seeds ?? [], `${path}.pda.seeds`),
    ...(idl === undefined ? [] : await checkAccountIdl(idl, accountName, path)),
  ]
}

function checkSeeds(seeds: { type: string }[], path: string): Issue[] {
  return seeds.flatMap(({ type }, index) =>
    issueUnless(seedTypes.includes(type), `${path}.${index}.type`, `must be one of ${seedTypes.join(', ')}`),
  )
}

/** Every `get…` method of a Solana node reads, and so do these. A simulation changes nothing, like `eth_call`. */
const readingMethods: ReadonlySet<string> = new Set(['isBlockhashValid', 'minimumLedgerSlot', 'simulateTransaction'])

function isSolanaReadingMethod(method: string): boolean {
  return /^get[A-Z]\w*$/.test(method) || readingMethods.has(method)
}

const nativeCurrency = { name: 'Solana', symbol: 'SOL', decimals: 9 }
const solscan = (query = '') => ({ name: 'Solscan', url: `https://solscan.io${query}` })

/** The public clusters of Solana by the hash of their first block. */
const knownSolanaNetworks: ReadonlyMap<string, KnownNetwork> = new Map(
  Object.entries({
    [mainnet]: { name: 'Solana', nativeCurrency, explorer: solscan() },
    EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG: {
      name: 'Solana Devnet',
      nativeCurrency,
      explorer: solscan('/?cluster=devnet'),
    },
    '4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY': {
      name: 'Solana Testnet',
      nativeCurrency,
      explorer: solscan('/?cluster=testnet'),
    },
  }),
)
