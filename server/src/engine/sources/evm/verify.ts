import { type ConnectOptions, UpstreamError, type Verified } from '../../world.ts'
import { openRpcPool } from '../rpc-pool/index.ts'
import { requireAmount, toHex } from './quantities.ts'
import { readHeader } from './read-answers.ts'
import { isUnknownMethod } from './rpc.ts'

type Ask = (method: string, params?: unknown[]) => Promise<unknown>
type Finding = Verified['endpoints'][number] & { chainId?: string }

/** How far back state is looked for, the farthest first. */
const historyBlocks = [100_000, 10_000, 1000, 128]

/** Every endpoint by itself; one that serves another chain than the first good one is not ok. */
export async function verify(endpoints: readonly string[], options: ConnectOptions): Promise<Verified> {
  const pool = openRpcPool(endpoints, options)
  try {
    const findings = await Promise.all(endpoints.map((url) => examine(url, pool.perEndpoint(url).request)))
    const chainId = findings.find(({ ok }) => ok)?.chainId
    const latestBlock = Math.max(0, ...findings.map((finding) => finding.latestBlock ?? 0))
    return {
      network: chainId === undefined ? 'unknown' : `eip155:${chainId}`,
      ...(chainId !== undefined && { chainId }),
      latestBlock,
      endpoints: findings.map((finding) => sameChain(finding, chainId)),
    }
  } finally {
    await pool.close()
  }
}

function sameChain({ chainId, ...endpoint }: Finding, expected: string | undefined): Verified['endpoints'][number] {
  if (!endpoint.ok || chainId === expected) return endpoint
  return { ...endpoint, ok: false, error: `It serves chain ${chainId}, the endpoints before it chain ${expected}.` }
}

async function examine(url: string, ask: Ask): Promise<Finding> {
  const startedAt = performance.now()
  const latency = () => Math.round(performance.now() - startedAt)
  try {
    const chainId = requireAmount(await ask('eth_chainId'), 'chain id')
    const latencyMs = latency()
    const { number, hash } = readHeader(await ask('eth_getBlockByNumber', ['latest', false]))
    const capabilities = await findCapabilities(url, ask, number, hash)
    return { url, ok: true, latencyMs, chainId, latestBlock: number, capabilities, ...lackOf(capabilities) }
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error
    const message = isUnknownMethod(error) ? `It is no EVM node: ${error.message}` : error.message
    return { url, ok: false, latencyMs: latency(), capabilities: [], error: message }
  }
}

/** Without logs there is nothing to match on. */
function lackOf(capabilities: readonly string[]): { ok?: false; error?: string } {
  return capabilities.includes('eth_getLogs')
    ? {}
    : { ok: false, error: 'It does not answer eth_getLogs by block hash.' }
}

async function findCapabilities(url: string, ask: Ask, latest: number, hash: string): Promise<string[]> {
  const [logs, receipts, heads, history] = await Promise.all([
    serves(ask, 'eth_getLogs', [{ blockHash: hash }]),
    serves(ask, 'eth_getBlockReceipts', [hash]),
    /^wss?:/i.test(url) ? serves(ask, 'eth_subscribe', ['newHeads']) : false,
    findHistory(ask, latest),
  ])
  return [
    ...(logs ? ['eth_getLogs'] : []),
    ...(receipts ? ['eth_getBlockReceipts'] : []),
    ...(heads ? ['eth_subscribe'] : []),
    ...(history === undefined ? [] : [`history:${history}`]),
  ]
}

/** How many blocks back the node still has state, by the balance of nobody; a short chain has no farther back than its start. */
async function findHistory(ask: Ask, latest: number): Promise<number | undefined> {
  const nobody = '0x0000000000000000000000000000000000000000'
  const distances = [...new Set(historyBlocks.map((blocks) => Math.min(blocks, latest)))]
  const served = await Promise.all(
    distances.map((back) => serves(ask, 'eth_getBalance', [nobody, toHex(latest - back)])),
  )
  return distances.find((_, index) => served[index])
}

async function serves(ask: Ask, method: string, params: unknown[]): Promise<boolean> {
  try {
    return (await ask(method, params)) !== null
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error
    return false
  }
}
