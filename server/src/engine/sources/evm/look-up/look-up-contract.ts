import type { AbiSource, ProxyView } from '@tocsin/contract'
import type { AbiAnswer, VerifiedContract } from '../../../abi-services/index.ts'
import { waitForTurn } from '../../../base/event-loop-turns.ts'
import { UpstreamError } from '../../../outbound/upstream-error.ts'
import type { AbiItem } from '../abi/read-abi.ts'
import { distinctItems, readableItems } from './abi-entries.ts'
import type { ChainReads } from './chain-reads.ts'
import { type CodeFacts, codeFacts, joinFacts } from './code-facts.ts'
import { type Followed, followProxies } from './follow-proxies.ts'
import { guessAbi, type LogForm } from './guess-abi.ts'

export type LookUpDeps = {
  reads: ChainReads
  /** Asks the services for verified contracts. */
  findVerified(chainId: string, address: string): Promise<AbiAnswer>
  /** The latest logs of the address. They show events that the code alone does not. */
  recentLogs(): Promise<readonly LogForm[]>
}

/** The ABI of a contract. `error` says what was tried and what to do next. */
export type LookedUp = {
  code: string
  items: AbiItem[]
  source: AbiSource
  proxy?: ProxyView
  name?: string
  documentation: Record<string, string>
  error?: string
}

/** Looks a contract up at the services. What they do not know is guessed from the code and the recent logs. */
export async function lookUpContract(deps: LookUpDeps, address: string): Promise<LookedUp> {
  const [chainId, followed] = await Promise.all([deps.reads.chainId(), followProxies(deps.reads, address)])
  const proxy = followed.proxyKind && viewOf(followed.proxyKind, followed.targets)
  const base = { code: followed.code, ...(proxy && { proxy }) }
  // A diamond has events and a name of its own.
  const asked = followed.proxyKind === 'diamond' ? [address, ...followed.targets] : followed.targets
  const answers = await askAll(deps, chainId, asked)
  const found = [...answers.values()].flatMap((answer) => (answer.found ? [answer.found] : []))
  const unknown = asked.filter((each) => !answers.get(each)?.found)
  // The proxy's own code shows who may upgrade it.
  const guessed = await guess(deps, followed, unknown.length === asked.length ? [address, ...unknown] : unknown)
  const items = distinctItems([...(await readableItems(found.flatMap(({ abi }) => abi))), ...guessed])
  const [first] = found
  const error = explain({
    address,
    chainId,
    answers,
    followed,
    isKnown: first !== undefined,
    isEmpty: items.length === 0,
  })
  return {
    ...base,
    items,
    source: first?.source ?? 'selectors',
    ...(first?.name !== undefined && { name: first.name }),
    documentation: Object.assign({}, ...found.map(documentationOf)),
    ...(error !== undefined && { error }),
  }
}

function documentationOf({ documentation = {} }: VerifiedContract): Record<string, string> {
  return documentation
}

function viewOf(kind: ProxyView['kind'], targets: string[]): ProxyView {
  const [implementation = ''] = targets
  return kind === 'diamond' || targets.length > 1 ? { kind, implementations: targets } : { kind, implementation }
}

async function askAll(
  deps: LookUpDeps,
  chainId: string,
  addresses: readonly string[],
): Promise<Map<string, AbiAnswer>> {
  const answers = new Map<string, AbiAnswer>()
  for (const address of addresses) answers.set(address, await deps.findVerified(chainId, address))
  return answers
}

async function guess(deps: LookUpDeps, { code }: Followed, addresses: readonly string[]) {
  if (code === '0x' || addresses.length === 0) return []
  const [logs, ...codes] = await Promise.all([
    deps.recentLogs(),
    ...[...new Set(addresses)].map((each) => deps.reads.code(each)),
  ])
  const facts: CodeFacts[] = []
  for (const each of codes) {
    await waitForTurn()
    facts.push(codeFacts(each))
  }
  return guessAbi(joinFacts(facts), logs)
}

type Outcome = {
  address: string
  chainId: string
  answers: ReadonlyMap<string, AbiAnswer>
  followed: Followed
  isKnown: boolean
  isEmpty: boolean
}

function explain({ address, chainId, answers, followed, isKnown, isEmpty }: Outcome): string | undefined {
  if (followed.code === '0x') return explainNoCode(address, chainId, isKnown)
  if (isKnown && !isEmpty) return undefined
  const missing = [...answers.values()].flatMap((answer) => (answer.found ? [] : [answer]))
  const tried = [...new Set(missing.flatMap((answer) => answer.tried))].map((each) => `${each}. `).join('')
  if (isEmpty)
    return `No ABI was found for ${address} on chain ${chainId}. ${tried}Its code and its recent logs show no common interface. Paste its ABI, or watch all its logs and calls without one.`
  const hasFailed = missing.some((answer) => answer.hasFailed)
  return hasFailed ? `${tried}These events and calls are what the code and the recent logs show.` : undefined
}

function explainNoCode(address: string, chainId: string, isKnown: boolean): string {
  if (isKnown)
    return `The contract at ${address} has no code on chain ${chainId} any more: it was destroyed and emits nothing. Check the address, or watch the contract that replaced it.`
  return `${address} has no code on chain ${chainId}: it is an account, or a contract of another network. Check the network and the address. To watch an account, choose native transfers or token transfers.`
}

/** The latest logs are a help, not a condition: without them the look-up goes on. */
export async function logsOrNone(read: Promise<readonly LogForm[]>): Promise<readonly LogForm[]> {
  try {
    return await read
  } catch (error) {
    if (error instanceof UpstreamError) return []
    throw error
  }
}
