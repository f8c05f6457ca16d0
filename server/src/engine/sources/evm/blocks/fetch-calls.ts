import { UpstreamError } from '../../../outbound/upstream-error.ts'
import type { UnreadablePart } from '../../block.ts'
import { type OneEndpoint, RpcError } from '../../rpc-pool/index.ts'
import { ownCall } from '../calls/call-items.ts'
import type { EvmCall, EvmTransaction } from '../contents.ts'
import { readAtOne } from '../rpc.ts'
import type { BlockReader } from './block-reader.ts'
import { type CallFrame, readFrame, readTraces } from './call-frames.ts'
import { type TraceRequest, traceRequests, useFirstServed } from './log-requests.ts'
import { requireBytes, requireGiven, requireList, requireRecord, toHex, UnreadableAnswer } from './quantities.ts'
import { type Header, readHashes } from './read-answers.ts'

/**
 * Reads the calls of a block at every depth by its traces, from one endpoint, with the first request that the endpoint
 * serves. Traces that are late, cut or contradict the receipts are a bad answer: another endpoint is asked, and then the
 * follower tries again. It throws an UnreadableAnswer only if no endpoint has traces.
 */
export async function fetchCalls(
  reader: BlockReader,
  header: Header,
  transactions: readonly EvmTransaction[],
): Promise<EvmCall[]> {
  if (transactions.length === 0) return []
  return readAtOne(reader.rpc, 'debug_traceBlockByHash', async (at) => {
    const memory = reader.memoryOf(at)
    // An endpoint that refused both requests is asked again when the refusal is forgotten, not for every block.
    if (traceRequests.every((request) => memory.isRefused(request))) throw new UnreadableAnswer(noTraces)
    const { value } = await useFirstServed(memory, traceRequests, (request) => readFramesBy(at, header, request))
    return callsOfBlock(header, transactions, value)
  })
}

/** The frame of a transaction, by its hash or by its position in the block. */
type FrameOf = (hash: string, index: number) => CallFrame | undefined
type BlockOfTraces = Pick<Header, 'number' | 'transactions'>

export function callsOfBlock(
  header: BlockOfTraces,
  transactions: readonly EvmTransaction[],
  frameOf: FrameOf,
): EvmCall[] {
  // Transactions that cannot be read are not among them.
  const places = new Map(readHashes(header).map((hash, place) => [hash, place]))
  return transactions.flatMap((transaction, index) => {
    const frame = frameOf(transaction.hash, places.get(transaction.hash) ?? index)
    return callsOf(header, transaction, frame)
  })
}

async function readFramesBy(at: OneEndpoint, header: Header, request: TraceRequest): Promise<FrameOf> {
  return request === 'debug' ? readDebug(at, header) : readTraceBlock(at, header)
}

export const noTraces = 'The node has no traces: it refuses debug_traceBlockByHash and trace_block.'

/** The triggers that read traces: those that need them, and those that go on without them. */
export function unreadableTraces(reason: string): UnreadablePart[] {
  const specTypes = ['evm_call']
  const stillMatches = 'it sees only the calls that transactions make themselves, not those between contracts'
  return [
    { part: 'traces', reason, specTypes, specFlag: ['internal', 'true'] },
    { part: 'any_traces', reason, specTypes, specFlag: ['internal', 'auto'], stillMatches },
  ]
}

export const callTracer = { tracer: 'callTracer' }

async function readDebug(at: OneEndpoint, header: Header): Promise<FrameOf> {
  return readDebugAnswer(await at.request('debug_traceBlockByHash', [header.hash, callTracer]), header)
}

export function readDebugAnswer(answer: unknown, header: BlockOfTraces): FrameOf {
  const traced = requireList(requireGiven(answer, 'list of traces'), 'list of traces').map(readTraced)
  if (traced.length !== header.transactions.length)
    throw new UpstreamError(
      'bad_answer',
      `The node returned traces of ${traced.length} transactions of block ${header.number}, which has ${header.transactions.length}.`,
    )
  return (hash, index) => {
    const one = traced[index]
    return one?.hash === undefined || one.hash === hash ? one?.frame : undefined
  }
}

/** Older nodes leave the hash out. A node that does not know the tracer returns the steps of the machine instead. */
export function readTraced(answer: unknown): { hash: string | undefined; frame: CallFrame } {
  const { txHash, result, error } = requireRecord(answer, 'traces of a transaction')
  if (error != null)
    throw new UpstreamError('bad_answer', `The node could not trace a transaction: ${String(error).slice(0, 200)}`)
  const frame = requireRecord(requireGiven(result ?? null, 'trace'), 'trace')
  if ('structLogs' in frame) throw new RpcError(-32004, 'the node does not know the callTracer')
  return { hash: txHash == null ? undefined : requireBytes(txHash, 'txHash of a trace', 32), frame: readFrame(frame) }
}

/** By number, because the request takes no hash: each trace names its block. */
async function readTraceBlock(at: OneEndpoint, header: Header): Promise<FrameOf> {
  const answer = await at.request('trace_block', [toHex(header.number)])
  const traces = requireList(requireGiven(answer, 'list of traces'), 'list of traces')
  for (const trace of traces)
    if (requireBytes(requireRecord(trace, 'trace').blockHash, 'blockHash of a trace', 32) !== header.hash)
      throw new UpstreamError('bad_answer', `The node answered with traces of another block than ${header.number}.`)
  const roots = readTraces(traces)
  return (hash) => roots.get(hash)
}

function callsOf({ number }: BlockOfTraces, transaction: EvmTransaction, root: CallFrame | undefined): EvmCall[] {
  if (!root)
    throw new UpstreamError(
      'bad_answer',
      `The node has no traces of transaction ${transaction.hash} of block ${number}.`,
    )
  const own = { ...ownCall(transaction), output: root.output }
  if (transaction.status !== null && root.isFailed === own.success)
    throw new UpstreamError(
      'bad_answer',
      `The traces of transaction ${transaction.hash} of block ${number} contradict its receipt: only one of them says that it failed.`,
    )
  return flatten(own, root)
}

/** Lists the calls in the order of execution. A call inside a reverted one has no effect, so it did not succeed either. */
function flatten(own: EvmCall, root: CallFrame): EvmCall[] {
  const calls: EvmCall[] = [own]
  const open = root.calls.toReversed().map((frame) => ({ frame, depth: 1, isStanding: own.success }))
  for (let next = open.pop(); next; next = open.pop()) {
    const { frame, depth, isStanding } = next
    const { type, from, to, value, input, output, gasUsed, isFailed } = frame
    if (type === undefined || isPrecompile(frame)) continue
    const success = isStanding && !isFailed
    const { transactionHash, transactionIndex } = own
    calls.push({
      transactionHash,
      transactionIndex,
      index: calls.length,
      depth,
      type,
      from,
      to: type === 'create' && isFailed ? null : to,
      value,
      input,
      success,
      gasUsed,
      output,
    })
    for (const inner of frame.calls.toReversed()) open.push({ frame: inner, depth: depth + 1, isStanding: success })
  }
  return calls
}

/** The last precompiled contracts of Ethereum, and the one for P-256 of other chains. */
const [precompilesMax, p256] = [0x11, 0x100]
const precompileStart = `0x${'0'.repeat(36)}`

/** Some nodes leave calls of precompiled contracts out of traces, so they are left out for all: numbers must not depend on the node. */
function isPrecompile({ type, to, value }: CallFrame): boolean {
  if (type === 'create' || to === null || value !== '0' || !to.startsWith(precompileStart)) return false
  const number = Number(to)
  return (number >= 1 && number <= precompilesMax) || number === p256
}
