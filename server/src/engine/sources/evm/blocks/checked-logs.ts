import { UpstreamError } from '../../../outbound/upstream-error.ts'
import type { BlockCheck } from '../../block.ts'
import type { OneEndpoint } from '../../rpc-pool/index.ts'
import type { EvmLog } from '../contents.ts'
import type { Rpc } from '../rpc.ts'
import type { EndpointMemory, LogRequest } from './log-requests.ts'

/**
 * Chooses the endpoint for the logs of a block. Logs of all contracts can be checked: by the bloom, by their indexes, by
 * receipts. Logs by contract can be checked only in part. So an endpoint that returns logs only by contract is used only
 * when no other endpoint is left.
 *
 * The other endpoints are in one of three states:
 * - answering: they are asked, and the ones by contract are not;
 * - failing: for 8 s the read fails and the follower tries again, because most failures are short;
 * - down: the endpoints by contract are asked, and the others only once a minute.
 *
 * An endpoint whose log request is not known yet counts as one of the others. One read of logs shows it.
 */
export type ReadLogs = {
  request: LogRequest
  logs: readonly EvmLog[]
  checked: BlockCheck
  doubt?: string
  isDoubtful: boolean
  at: OneEndpoint
}
type ReadAt = (at: OneEndpoint) => Promise<ReadLogs>

/** The runtime waits at least 10 s for a block that cannot be read before the source is in error. */
const waitMs = 8000
const retryMs = 60_000

export class CheckedLogs {
  readonly #now: () => number
  #failingSince: number | undefined
  #triedAt = Number.NEGATIVE_INFINITY
  #isReported = false

  constructor(now: () => number) {
    this.#now = now
  }

  get areDown(): boolean {
    return this.#failingSince !== undefined && this.#now() - this.#failingSince >= waitMs
  }

  /** True if these endpoints may be asked now. While they are down, one read per minute is allowed. */
  takeTry(): boolean {
    if (this.areDown && this.#now() - this.#triedAt < retryMs) return false
    this.#triedAt = this.#now()
    return true
  }

  failed(): void {
    this.#failingSince ??= this.#now()
  }

  answered(at: OneEndpoint): void {
    this.#failingSince = undefined
    if (this.#isReported) at.notify('logs_checked_again', 'returns logs again that can be checked for completeness.')
    this.#isReported = false
  }

  /** Writes one line to the source's log for each outage. */
  reportUnchecked(at: OneEndpoint): void {
    if (this.#isReported) return
    this.#isReported = true
    const why = 'no endpoint whose logs can be checked for completeness answers'
    at.notify('logs_unchecked', `returns logs by contract, which are used because ${why}.`, 'warn')
  }
}

/** The part of a block reader that choosing an endpoint for logs needs. */
type LogReader = {
  rpc: Rpc
  checkedLogs: CheckedLogs
  endpointIndexes: readonly number[]
  memoryOf(at: Pick<OneEndpoint, 'index'>): EndpointMemory
}

/** Runs `read` at the best endpoint that answers. */
export async function readBestLogs(
  { rpc, ...rest }: LogReader,
  read: ReadAt,
  timeoutMs: number | undefined,
): Promise<ReadLogs> {
  const reader: LogReader = { ...rest, rpc: { ...rpc, atOne: (work, how) => rpc.atOne(work, { ...how, timeoutMs }) } }
  const learned: ReadLogs[] = []
  const mayTry = reader.checkedLogs.takeTry()
  for (let others = listCheckedEndpoints(reader); mayTry && others.length > 0; others = listCheckedEndpoints(reader)) {
    const found = await readAmong(reader, others, read)
    if (!found) break
    if (found.request !== 'address') return accept(reader, found)
    learned.push(found)
  }
  const found = await readByContract(reader, read, learned[0])
  if (found.request !== 'address') return accept(reader, found)
  if (listCheckedEndpoints(reader).length > 0) reader.checkedLogs.reportUnchecked(found.at)
  return found
}

function accept({ checkedLogs }: LogReader, found: ReadLogs): ReadLogs {
  checkedLogs.answered(found.at)
  return found
}

/** The indexes of the endpoints that are not known to return logs only by contract. */
function listCheckedEndpoints({ endpointIndexes, memoryOf }: LogReader): number[] {
  return endpointIndexes.filter((index) => !memoryOf({ index }).isByContract)
}

/** Undefined when these endpoints are down and endpoints by contract are left. */
async function readAmong(reader: LogReader, among: number[], read: ReadAt): Promise<ReadLogs | undefined> {
  const { checkedLogs, endpointIndexes, rpc } = reader
  const isAll = among.length === endpointIndexes.length
  const limitWaitMs = checkedLogs.areDown ? 0 : waitMs
  try {
    return await rpc.atOne(read, { method: 'eth_getLogs', among, ...(!isAll && { limitWaitMs }) })
  } catch (error) {
    if (isAll || !(error instanceof UpstreamError)) throw error
    checkedLogs.failed()
    if (checkedLogs.areDown) return undefined
    // As a bad answer, the read is repeated and does not count as a failure of the source yet.
    throw new UpstreamError('bad_answer', error.message)
  }
}

/** Doubtful logs are compared with the logs of another such endpoint. The longer answer counts. */
async function readByContract(reader: LogReader, read: ReadAt, known: ReadLogs | undefined): Promise<ReadLogs> {
  const others = listCheckedEndpoints(reader)
  const byContract = reader.endpointIndexes.filter((index) => !others.includes(index))
  const ask = (among: readonly number[]) => reader.rpc.atOne(read, { method: 'eth_getLogs', among })
  const orNone = async (among: readonly number[]) => (among.length > 0 ? ask(among).catch(upstreamFailed) : undefined)
  const first =
    known ?? (others.length === 0 ? await ask(byContract) : ((await orNone(byContract)) ?? (await ask(others))))
  if (!first.isDoubtful) return first
  const second = await orNone(byContract.filter((index) => index !== first.at.index))
  return second && second.logs.length > first.logs.length ? second : first
}

function upstreamFailed(error: unknown): undefined {
  if (!(error instanceof UpstreamError)) throw error
}
