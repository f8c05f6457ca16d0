import type { AddressKind } from '@tocsin/contract'
import { selectorOf } from '../abi/selector.ts'
import type { ChainReads } from './chain-reads.ts'
import type { FoundToken } from './find-token.ts'
import type { LookedUp } from './look-up-contract.ts'
import { addressIn } from './word-address.ts'

/** Answers by signature; undefined if the contract has no such function. */
type Views = ReadonlyMap<string, string | undefined>

/** No contract has this function. */
const unknown = 'noContractHasThisFunction()'
const signatures = [
  ...[unknown, 'getOwners()', 'getThreshold()', 'votingDelay()', 'votingPeriod()', 'getMinDelay()', 'delay()'],
  ...['GRACE_PERIOD()', 'expiration()', 'minSetback()', 'latestRoundData()', 'asset()', 'totalAssets()'],
  ...['token0()', 'token1()', 'getReserves()', 'slot0()', 'entryPoint()', 'accountId()'],
]

type Facts = { views: Views; names: ReadonlySet<string>; isSafe: boolean }

/** In the order in which they are tried: a pair of Uniswap is a token too, and so is a vault. */
const kinds: readonly [AddressKind, (facts: Facts) => boolean][] = [
  ['multisig', ({ isSafe, views, names }) => isSafe || hasAll(views, names, 'getOwners', 'getThreshold')],
  ['governor', ({ views, names }) => hasAll(views, names, 'votingDelay', 'votingPeriod')],
  [
    'timelock',
    ({ views, names }) => hasAll(views, names, 'getMinDelay') || hasAll(views, names, 'delay', 'GRACE_PERIOD'),
  ],
  ['access-manager', ({ views, names }) => hasAll(views, names, 'expiration', 'minSetback')],
  // Five words: a round has no other form.
  ['oracle', ({ views }) => wordsIn(views.get('latestRoundData()')) === 5],
  ['vault', ({ views, names }) => (names.has('asset') && names.has('totalAssets')) || isVault(views)],
  ['pool', isPool],
  ['smart-account', ({ views, names }) => names.has('validateUserOp') && isSmartAccount(views)],
]

/** What a contract is by its views, which a proxy answers like the code behind it; else by its ABI and its token. */
export async function findKind(
  reads: ChainReads,
  address: string,
  { items, proxy }: LookedUp,
  token: FoundToken | undefined,
): Promise<AddressKind> {
  const views = await askViews(reads, address)
  const names = new Set(items.map(({ name }) => name))
  const facts = { views, names, isSafe: proxy?.kind === 'safe' }
  const [kind] = kinds.find(([, isIt]) => isIt(facts)) ?? []
  if (kind) return kind
  if (token) return token.standard === 'erc20' ? 'token' : token.standard === 'erc721' ? 'nft' : 'multi-token'
  return proxy ? 'proxy' : 'contract'
}

/** A contract that answers what no contract has, answers everything. Its views say nothing then. */
async function askViews(reads: ChainReads, address: string): Promise<Views> {
  const answers = await Promise.all(
    signatures.map(async (signature) => [signature, await reads.call(address, selectorOf(signature))] as const),
  )
  const views = new Map(answers)
  return views.get(unknown) === undefined ? views : new Map()
}

function hasAll(views: Views, names: ReadonlySet<string>, ...wanted: string[]): boolean {
  return wanted.every((name) => names.has(name)) || wanted.every((name) => wordsIn(views.get(`${name}()`)) >= 1)
}

function isVault(views: Views): boolean {
  return isAddress(views.get('asset()')) && wordsIn(views.get('totalAssets()')) === 1
}

function isPool({ views, names }: Facts): boolean {
  const hasTokens = isAddress(views.get('token0()')) && isAddress(views.get('token1()'))
  const hasState = wordsIn(views.get('getReserves()')) >= 2 || wordsIn(views.get('slot0()')) >= 2
  // The manager of Uniswap v4 holds all pools.
  return (hasTokens && hasState) || ['unlock', 'modifyLiquidity', 'ModifyLiquidity'].every((name) => names.has(name))
}

function isSmartAccount(views: Views): boolean {
  return isAddress(views.get('entryPoint()')) || views.get('accountId()') !== undefined
}

function isAddress(answer: string | undefined): boolean {
  return wordsIn(answer) === 1 && addressIn(answer) !== undefined
}

function wordsIn(answer: string | undefined): number {
  return answer === undefined ? 0 : (answer.length - 2) / 64
}
