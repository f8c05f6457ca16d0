import type { Answered } from '@tocsin/sdk'
import { specOf } from '../../../data/chains.ts'
import type { Filter } from './filter.ts'

export type Inspected = Answered<'inspectAddress'>['body']
export type Entry = Inspected['events'][number]

/** An event or a call that an alert can be made of. */
export type Offer = {
  key: string
  type: 'event' | 'call'
  name: string
  inputs: OfferInput[]
  documentation?: string | undefined
  /** How often it happened in the blocks that were read; absent if nobody counted. */
  count?: number
  latest?: Entry['latest']
  /** The filters of an offer whose inputs are not those of an ABI. */
  filters?: Filter[]
  /** Its item of the ABI, or its name in the IDL or in the pallet. */
  fragment: Record<string, unknown>
}
export type OfferInput = { name: string; type: string }

/** The frequent ones first. */
export function offersOf({ events, calls }: Pick<Inspected, 'events' | 'calls'>): Offer[] {
  const offers = [...events.map((entry) => offerOf('event', entry)), ...calls.map((entry) => offerOf('call', entry))]
  return offers.sort((a, b) => (b.count ?? 0) - (a.count ?? 0))
}

function offerOf(
  type: Offer['type'],
  { signature, name, inputs, documentation, count, latest, fragment }: Entry,
): Offer {
  return {
    ...{ key: `${type} ${signature}`, type, name, inputs: inputs.map(readInput), count, fragment },
    ...(documentation !== undefined && { documentation }),
    ...(latest && { latest }),
  }
}

export function readInput({ name, type }: Record<string, unknown>): OfferInput {
  return { name: typeof name === 'string' ? name : '', type: typeof type === 'string' ? type : '' }
}

/** “transferFrom” → “Transfer from” */
export function titleOf(name: string): string {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/_+/g, ' ')
    .trim()
    .toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const kindTexts: Record<Inspected['kind'], string> = {
  token: 'Token',
  nft: 'NFT collection',
  'multi-token': 'Multi-token contract',
  vault: 'Vault',
  multisig: 'Multisig wallet',
  proxy: 'Proxy',
  contract: 'Contract',
  account: 'Account',
  oracle: 'Price feed',
  timelock: 'Timelock',
  governor: 'Governor',
  'access-manager': 'Access manager',
  pool: 'Liquidity pool',
  'smart-account': 'Smart account',
}
export const kindText = ({ kind }: Pick<Inspected, 'kind'>) => kindTexts[kind]

const sourceTexts: Record<NonNullable<Inspected['abiSource']>, string> = {
  sourcify: 'Verified on Sourcify',
  etherscan: 'Verified on Etherscan',
  blockscout: 'Verified on Blockscout',
  selectors: 'Not verified: read from its code and recent logs',
}
export const sourceText = (source: NonNullable<Inspected['abiSource']>) => sourceTexts[source]

/** What can be watched by an interface that the user pasted. Nobody counted it on the chain. */
export function offersOfPasted(drafts: readonly { triggerSpec: Record<string, unknown> | null }[]): Offer[] {
  return drafts.flatMap(({ triggerSpec }) => {
    const fragment = triggerSpec?.abiFragment
    if (!isFields(fragment) || typeof fragment.name !== 'string') return []
    const isCall = specOf(String(triggerSpec?.type))?.spec.sentence.noun === 'call'
    const type = isCall ? ('call' as const) : ('event' as const)
    const inputs = Array.isArray(fragment.inputs) ? fragment.inputs.filter(isFields).map(readInput) : []
    const key = `${type} ${fragment.name}(${inputs.map((input) => input.type).join(',')})`
    return [{ key, type, name: fragment.name, inputs, fragment }]
  })
}

export function isFields(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
