import { UpstreamError } from '../../../outbound/upstream-error.ts'
import type { OneEndpoint, RpcError } from '../../rpc-pool/index.ts'
import { messageWithoutHost } from '../../rpc-pool/index.ts'
import { isRefusal, refusedForMs } from '../rpc.ts'
import { LogNumbering } from './log-numbering.ts'
import { UnreadableAnswer } from './quantities.ts'

/**
 * The requests that return the logs of a block, the cheapest first. Public endpoints refuse some of them, each with a
 * different error. So each endpoint gets the first request that it serves.
 */
export const logRequests = ['hash', 'range', 'address', 'receipts', 'receipt'] as const
export type LogRequest = (typeof logRequests)[number]
export const receiptRequests = ['receipts', 'receipt'] as const
export type ReceiptRequest = (typeof receiptRequests)[number]

/** The requests that return the calls of a block at every depth. */
export const traceRequests = ['debug', 'trace'] as const
export type TraceRequest = (typeof traceRequests)[number]
type BlockRequest = LogRequest | TraceRequest

export const requestNames: Readonly<Record<BlockRequest, string>> = {
  hash: 'eth_getLogs by block hash',
  range: 'eth_getLogs by block number',
  address: 'eth_getLogs by block number and contracts',
  receipts: 'eth_getBlockReceipts',
  receipt: 'eth_getTransactionReceipt for each transaction',
  debug: 'debug_traceBlockByHash',
  trace: 'trace_block',
}

/** In addition to the call for the block itself. */
export function describeCost(request: LogRequest): string {
  return request === 'receipt' ? 'one call per transaction' : 'one call per block'
}

export function describeDoubt(request: LogRequest): string {
  return request === 'address' ? ' Whether such logs are complete can be checked only in part.' : ''
}

/** How long an endpoint that returned logs by contract counts as one that returns no others. The time doubles each time. */
const byContractFirstMs = 60_000
const byContractMostMs = 3_600_000

const traceRefusalMs = 60_000
const hourMs = 3_600_000

/** For how many blocks incomplete receipts are kept. */
const blocksKept = 8
/** For how many calls it is kept that their answer was too large. */
const largeKept = 64

/** What is known about one endpoint: the requests that it refuses, and how it numbers logs. */
export class EndpointMemory {
  readonly numbering = new LogNumbering()
  readonly #now: () => number
  readonly #refusedUntil = new Map<BlockRequest, number>()
  readonly #receipts = new Map<string, Map<string, unknown>>()
  readonly #toldUntil = new Map<string, number>()
  readonly #large = new Set<string>()
  #byContract = { untilMs: Number.NEGATIVE_INFINITY, times: 0 }
  #reportedRequest: LogRequest | undefined

  constructor(now: () => number) {
    this.#now = now
  }

  /** The requests to try now; all of them if each was refused. */
  open<R extends BlockRequest>(requests: readonly R[]): readonly R[] {
    const open = requests.filter((request) => !this.isRefused(request))
    return open.length > 0 ? open : requests
  }

  isRefused(request: BlockRequest): boolean {
    return (this.#refusedUntil.get(request) ?? Number.NEGATIVE_INFINITY) > this.#now()
  }

  /** A node without traces breaks triggers, so a repair of the node is noticed soon. */
  refuse(request: BlockRequest, error: RpcError): void {
    const isTrace = request === 'debug' || request === 'trace'
    this.#refusedUntil.set(request, this.#now() + Math.min(refusedForMs(error), isTrace ? traceRefusalMs : hourMs))
  }

  /** True if the endpoint returns logs only by contract. It is then not known whether they are complete. */
  get isByContract(): boolean {
    return this.#byContract.untilMs > this.#now()
  }

  /** The endpoint served this request and refused every request before it. */
  learnRequest(request: LogRequest): void {
    if (request !== 'address') {
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

  /** True once an hour for each subject. */
  mustTell(subject: string): boolean {
    if ((this.#toldUntil.get(subject) ?? Number.NEGATIVE_INFINITY) > this.#now()) return false
    this.#toldUntil.set(subject, this.#now() + hourMs)
    return true
  }

  /** True if the answer to this call was too large before. */
  isLarge(call: string): boolean {
    return this.#large.has(call)
  }

  noteLarge(call: string): void {
    for (const oldest of this.#large) if (this.#large.size >= largeKept) this.#large.delete(oldest)
    this.#large.add(call)
  }

  /** Writes one line to the source's log for each request that an endpoint starts to use. */
  reportRequest(at: OneEndpoint, request: LogRequest): void {
    if (this.#reportedRequest === request) return
    this.#reportedRequest = request
    at.notify(
      'endpoint_log_request',
      `returns logs by ${requestNames[request]} (${describeCost(request)}).${describeDoubt(request)}`,
    )
  }
}

/**
 * The result of the first request that the endpoint supports. A wrong answer is not a reason to try the next request. An answer
 * that is too large is one, for this time.
 */
export async function useFirstServed<R extends BlockRequest, T>(
  memory: EndpointMemory,
  requests: readonly R[],
  read: (request: R) => Promise<T>,
): Promise<{ request: R; value: T }> {
  const refusals: string[] = []
  for (const request of memory.open(requests)) {
    try {
      return { request, value: await read(request) }
    } catch (error) {
      if (error instanceof UpstreamError && error.kind === 'too_large')
        refusals.push(`${requestNames[request]}: ${error.message}`)
      else {
        if (!isRefusal(error)) throw error
        memory.refuse(request, error)
        refusals.push(`${requestNames[request]}: ${messageWithoutHost(error)}`)
      }
    }
  }
  throw new UnreadableAnswer(`The node serves none of the requests for this data: ${refusals.join('; ')}.`)
}
