import type { InspectResult } from '@tocsin/contract'
import { waitAtMost } from '../../../base/deadline.ts'
import { UpstreamError } from '../../../outbound/upstream-error.ts'
import type { Connection } from '../../connection.ts'
import type { AbiItem } from '../abi/read-abi.ts'
import { rolesIn } from '../known-names.ts'
import { entriesOf } from './abi-entries.ts'
import type { ChainReads } from './chain-reads.ts'
import { noCode } from './code-facts.ts'
import { countCalls, countEvents } from './count-entries.ts'
import { findEnsName, hasEns } from './ens.ts'
import { findKind } from './find-kind.ts'
import { findToken } from './find-token.ts'
import { guessAbi } from './guess-abi.ts'
import { type LookUpDeps, logsOrNone, lookUpContract } from './look-up-contract.ts'
import { type RecentCalls, readRecentCalls } from './recent-calls.ts'
import { type RecentLogs, readRecentLogs } from './recent-logs.ts'

export type InspectDeps = Pick<LookUpDeps, 'reads' | 'findVerified'> & {
  connection: Pick<Connection, 'read'>
  /** The time limit of the calls that read recent blocks. */
  activityMs: number
}
/** `roles`: the names of the contract's roles by their hashes. */
export type Inspected = Omit<InspectResult, 'source' | 'address'> & { roles?: ReadonlyMap<string, string> }

const logBlocks = 10_000
const nameMs = 3_000

/** What is at an address, what it emits and which calls it gets, with examples from the latest blocks. */
export async function inspectAddress(deps: InspectDeps, address: string): Promise<Inspected> {
  const { reads, activityMs } = deps
  const [code, head, ensName] = await Promise.all([reads.code(address), reads.head(), findNameInTime(reads, address)])
  const named = ensName === undefined ? {} : { ensName }
  const options = { head, endsAtMs: performance.now() + activityMs }
  const reading = orReason(readRecentLogs(reads, address, { ...options, blocks: logBlocks }))
  if (isAccountCode(code)) return { ...named, ...(await accountOf(reads, address, await reading)) }
  const [logs, calls, found, token] = await Promise.all([
    reading,
    orReason(readRecentCalls(reads, address, options)),
    lookUpContract({ ...deps, recentLogs: async () => logsOrNone(reading.then(logsOf)) }, address),
    findToken(deps.connection, reads, address),
  ])
  const items = [...found.items, ...(await unlistedEvents(found.items, logsOf(logs)))]
  const { events, calls: functions } = entriesOf(items, found.documentation)
  const kind = await findKind(reads, address, found, token)
  return {
    ...(found.name !== undefined && { name: found.name }),
    ...named,
    kind,
    // A price feed has decimals too, and is no token.
    ...(token && kind !== 'oracle' && { token }),
    ...(found.proxy && { proxy: found.proxy }),
    abiSource: found.source,
    ...withError(lookedAt(logs, calls), found.error),
    events: await countEvents(reads, events, logsOf(logs)),
    calls: countCalls(functions, 'failed' in calls ? [] : calls.calls),
    roles: rolesIn(items),
  }
}

type Read<T> = T | { failed: string }

/** Recent activity is a help, not a condition: the events and calls of the contract are shown without it. */
async function orReason<T extends object>(work: Promise<T>): Promise<Read<T>> {
  try {
    return await work
  } catch (error) {
    if (error instanceof UpstreamError) return { failed: error.message }
    throw error
  }
}

function logsOf(read: Read<RecentLogs>): RecentLogs['logs'] {
  return 'failed' in read ? [] : read.logs
}

function lookedAt(logs: Read<RecentLogs>, calls?: Read<RecentCalls>): Pick<Inspected, 'looked' | 'error'> {
  if ('failed' in logs) return { error: `The recent logs could not be read: ${logs.failed}` }
  const { fromBlock, toBlock, reason } = logs
  const callsFromBlock = calls && !('failed' in calls) ? { callsFromBlock: calls.fromBlock } : {}
  return { looked: { fromBlock, toBlock, ...callsFromBlock, ...(reason !== undefined && { reason }) } }
}

function withError(looked: Pick<Inspected, 'looked' | 'error'>, error: string | undefined): typeof looked {
  if (error === undefined) return looked
  return { ...looked, error: looked.error === undefined ? error : `${error} ${looked.error}` }
}

/** An account with EIP-7702 has a pointer to code, and is still an account. */
function isAccountCode(code: string): boolean {
  return code === '0x' || /^0xef0100[0-9a-f]{40}$/.test(code)
}

/** An account emits nothing. If there are logs without code, a contract was here and is gone. */
async function accountOf(reads: ChainReads, address: string, logs: Read<RecentLogs>): Promise<Inspected> {
  const wasContract = logsOf(logs).length > 0
  const error =
    'The contract at this address was destroyed: it has logs and no code any more, so it emits nothing. Check the address, or watch the contract that replaced it.'
  return {
    kind: 'account',
    balance: await reads.balance(address),
    ...lookedAt(logs),
    ...(wasContract && { error }),
    events: [],
    calls: [],
  }
}

/** Events of common interfaces that the contract emitted although its ABI lacks them, such as those of its proxy. */
async function unlistedEvents(items: readonly AbiItem[], logs: RecentLogs['logs']): Promise<AbiItem[]> {
  const known = new Set(items.filter(({ type }) => type === 'event').map(({ signature }) => signature))
  return (await guessAbi(noCode, logs)).filter(({ signature }) => !known.has(signature))
}

/** A name service that is slow or fails costs the name, not the answer. */
async function findNameInTime(reads: ChainReads, address: string): Promise<string | undefined> {
  const find = async () => ((await hasEns(reads)) ? findEnsName(reads, address) : undefined)
  return waitAtMost(
    find().catch(() => undefined),
    nameMs,
  )
}
