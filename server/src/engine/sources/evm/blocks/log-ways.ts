import type { OneEndpoint, RpcError } from '../../rpc-pool/index.ts'
import { messageWithoutHost } from '../../rpc-pool/index.ts'
import { isRefusal, refusedForMs } from '../rpc.ts'
import { LogNumbering } from './log-numbering.ts'
import { UnreadableAnswer } from './quantities.ts'

/**
 * The ways to the logs of a block, the cheapest first. Public endpoints refuse some of them, each in words of its own, so
 * that every endpoint is asked by the first way that it serves.
 */
export const logWays = ['hash', 'range', 'address', 'receipts', 'receipt'] as const
export type LogWay = (typeof logWays)[number]
export const receiptWays = ['receipts', 'receipt'] as const
export type ReceiptWay = (typeof receiptWays)[number]

export const wayNames: Readonly<Record<LogWay, string>> = {
  hash: 'eth_getLogs by block hash',
  range: 'eth_getLogs by block number',
  address: 'eth_getLogs by block number and contracts',
  receipts: 'eth_getBlockReceipts',
  receipt: 'eth_getTransactionReceipt for each transaction',
}

/** In addition to the call for the block itself. */
export function costOf(way: LogWay): string {
  return way === 'receipt' ? 'one call per transaction' : 'one call per block'
}

export function doubtOf(way: LogWay): string {
  return way === 'address' ? ' Whether such logs are complete can be checked only in part.' : ''
}

/** For how long an endpoint that gave logs by contract counts as one that gives no others; twice as long each time. */
const byContractFirstMs = 60_000
const byContractMostMs = 3_600_000

/** For how many blocks incomplete receipts are kept. */
const blocksKept = 8

/** What one endpoint has shown: the ways that it refuses, and how it numbers logs. */
export class EndpointMemory {
  readonly numbering = new LogNumbering()
  readonly #now: () => number
  readonly #refusedUntil = new Map<LogWay, number>()
  readonly #receipts = new Map<string, Map<string, unknown>>()
  #byContract = { untilMs: Number.NEGATIVE_INFINITY, times: 0 }
  #reportedWay: LogWay | undefined

  constructor(now: () => number) {
    this.#now = now
  }

  /** The ways to try now; all of them if each was refused. */
  open<W extends LogWay>(ways: readonly W[]): readonly W[] {
    const open = ways.filter((way) => !this.isRefused(way))
    return open.length > 0 ? open : ways
  }

  isRefused(way: LogWay): boolean {
    return (this.#refusedUntil.get(way) ?? Number.NEGATIVE_INFINITY) > this.#now()
  }

  refuse(way: LogWay, error: RpcError): void {
    this.#refusedUntil.set(way, this.#now() + refusedForMs(error))
  }

  /** True if the endpoint gives logs only by contract, so that nothing shows whether they are complete. */
  get isByContract(): boolean {
    return this.#byContract.untilMs > this.#now()
  }

  /** The endpoint gave logs this way, and every way before it was refused. */
  learnWay(way: LogWay): void {
    if (way !== 'address') {
      this.#byContract = { untilMs: Number.NEGATIVE_INFINITY, times: 0 }
      return
    }
    const { times } = this.#byContract
    const forMs = Math.min(byContractMostMs, byContractFirstMs * 2 ** times)
    if (!this.isByContract) this.#byContract = { untilMs: this.#now() + forMs, times: times + 1 }
  }

  /** Receipts of a block that arrived one by one before a call failed, by transaction. */
  receiptsOf(block: string): Map<string, unknown> {
    const known = this.#receipts.get(block) ?? new Map<string, unknown>()
    for (const [oldest] of this.#receipts) if (this.#receipts.size >= blocksKept) this.#receipts.delete(oldest)
    this.#receipts.set(block, known)
    return known
  }

  forgetReceiptsOf(block: string): void {
    this.#receipts.delete(block)
  }

  /** Writes one line to the source's log for each way that an endpoint starts to use. */
  tellWay(at: OneEndpoint, way: LogWay): void {
    if (this.#reportedWay === way) return
    this.#reportedWay = way
    at.notify('endpoint_log_way', `gives logs by ${wayNames[way]} (${costOf(way)}).${doubtOf(way)}`)
  }
}

/** The result of the first way that the endpoint supports. A wrong answer is not a reason to try the next way. */
export async function byFirstWay<W extends LogWay, T>(
  memory: EndpointMemory,
  ways: readonly W[],
  read: (way: W) => Promise<T>,
): Promise<{ way: W; value: T }> {
  const refusals: string[] = []
  for (const way of memory.open(ways)) {
    try {
      return { way, value: await read(way) }
    } catch (error) {
      if (!isRefusal(error)) throw error
      memory.refuse(way, error)
      refusals.push(`${wayNames[way]}: ${messageWithoutHost(error)}`)
    }
  }
  throw new UnreadableAnswer(`The node serves none of the calls that give this: ${refusals.join('; ')}.`)
}
