import { UpstreamError } from '../../outbound/upstream-error.ts'
import type { ConnectOptions, Verified } from '../connection.ts'
import { attempt, type Finding, ofOneNetwork, withinCheckTime } from '../one-network.ts'
import { explainWrongKind, openRpcPool } from '../rpc-pool/index.ts'
import { readTraces } from './blocks/call-frames.ts'
import { callTracer, noTraces, readTraced, unreadableTraces } from './blocks/fetch-calls.ts'
import { describeLogRequests, findLogRequests } from './blocks/find-log-requests.ts'
import { requireList, toHex } from './blocks/quantities.ts'
import { type Header, readHeader } from './blocks/read-answers.ts'
import { answerSizes, isLastingRefusal, readChainId } from './rpc.ts'

type Ask = (method: string, params?: unknown) => Promise<unknown>

/** How many blocks back the state is checked, the farthest first. */
const historyBlocks = [100_000, 10_000, 1000, 128]

/** Checks every endpoint separately. An endpoint of another chain than the first working one is not ok. */
export async function verify(endpoints: readonly string[], options: ConnectOptions): Promise<Verified> {
  const pool = openRpcPool(endpoints, { ...options, answerSizes })
  try {
    const look = (url: string) =>
      withinCheckTime(examine(url, pool.perEndpoint(url).request), options.timeoutMs, (failed) => ({ url, ...failed }))
    const findings = await Promise.all(endpoints.map(look))
    const found = ofOneNetwork(
      findings,
      (own, first) => `It serves chain ${own}, the endpoints before it chain ${first}.`,
    )
    if (found.network === undefined) return { ...found, network: 'unknown' }
    const working = found.endpoints.filter(({ ok }) => ok)
    const hasNoTraces = working.every(({ refusedParts }) => refusedParts?.includes('traces'))
    const unreadable = hasNoTraces ? unreadableTraces(noTraces) : []
    return { ...found, network: `eip155:${found.network}`, chainId: found.network, unreadable }
  } finally {
    await pool.close()
  }
}

async function examine(url: string, ask: Ask): Promise<Finding> {
  const startedAt = performance.now()
  const latency = () => Math.round(performance.now() - startedAt)
  try {
    const chainId = readChainId(await ask('eth_chainId'))
    const latencyMs = latency()
    const header = readHeader(await ask('eth_getBlockByNumber', ['latest', false]))
    const settled = await parentOf(header, ask)
    const [logs, heads, history, traces] = await Promise.all([
      findLogRequests(ask, settled),
      /^wss?:/i.test(url) ? serves(ask, 'eth_subscribe', ['newHeads']) : false,
      findHistory(ask, header.number),
      // The first block of a chain has no traces.
      findTraces(ask, settled.number === 0 ? header : settled),
    ])
    const capabilities = [
      ...logs.capabilities,
      ...(heads ? ['eth_subscribe'] : []),
      ...(traces === 'served' ? ['traces'] : []),
      ...(history === undefined ? [] : [`history:${history}`]),
    ]
    const notes = describeLogRequests(logs)
    const found = { url, ok: true, latencyMs, network: chainId, latestBlock: header.number, capabilities, notes }
    return traces === 'refused' ? { ...found, refusedParts: ['traces'] } : found
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error
    const { message } = explainWrongKind(error, 'EVM')
    return { url, ok: false, latencyMs: latency(), capabilities: [], error: message }
  }
}

/** Nodes announce a block before they offer its logs, but they have the logs of its parent. */
async function parentOf(header: Header, ask: Ask): Promise<Header> {
  return header.number === 0 ? header : readHeader(await ask('eth_getBlockByHash', [header.parentHash, false]))
}

/** `unknown` if the node failed otherwise: it may serve traces of another block, or later. */
type Traces = 'served' | 'refused' | 'unknown'

/** Tries both requests for traces at the same time, because a check may take only so long. */
async function findTraces(ask: Ask, { hash, number }: Header): Promise<Traces> {
  const readDebug = async () =>
    requireList(await ask('debug_traceBlockByHash', [hash, callTracer]), 'traces').map(readTraced)
  const readTrace = async () => readTraces(requireList(await ask('trace_block', [toHex(number)]), 'traces'))
  const found = await Promise.all([tryTraces(readDebug), tryTraces(readTrace)])
  if (found.includes('served')) return 'served'
  return found.every((each) => each === 'refused') ? 'refused' : 'unknown'
}

async function tryTraces(read: () => Promise<unknown>): Promise<Traces> {
  try {
    await read()
    return 'served'
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error
    return isLastingRefusal(error) ? 'refused' : 'unknown'
  }
}

/** How many blocks back the node still has state, tested with the balance of the zero address. A short chain ends at its start. */
async function findHistory(ask: Ask, latest: number): Promise<number | undefined> {
  const nobody = '0x0000000000000000000000000000000000000000'
  const distances = [...new Set(historyBlocks.map((blocks) => Math.min(blocks, latest)))]
  const served = await Promise.all(
    distances.map((back) => serves(ask, 'eth_getBalance', [nobody, toHex(latest - back)])),
  )
  return distances.find((_, index) => served[index])
}

async function serves(ask: Ask, method: string, params: unknown[]): Promise<boolean> {
  return ((await attempt(() => ask(method, params))) ?? null) !== null
}
