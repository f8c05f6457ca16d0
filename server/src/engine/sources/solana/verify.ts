import { UpstreamError } from '../../outbound/upstream-error.ts'
import type { ConnectOptions, Verified } from '../connection.ts'
import { attempt, type Finding, ofOneNetwork, withinCheckTime } from '../one-network.ts'
import { explainWrongKind, openRpcPool } from '../rpc-pool/index.ts'
import { answerSizes } from './answer-sizes.ts'
import { commitment, readField, readGenesisHash, requireNumber } from './calls.ts'

type Request = (method: string, params?: unknown) => Promise<unknown>

const networks: Readonly<Record<string, string>> = {
  '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d': 'mainnet-beta',
  '4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY': 'testnet',
  EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG: 'devnet',
}
const systemProgram = '11111111111111111111111111111111'

export async function verify(endpoints: readonly string[], options: ConnectOptions): Promise<Verified> {
  const pool = openRpcPool(endpoints, { ...options, answerSizes })
  try {
    const look = (url: string) =>
      withinCheckTime(lookAt(url, pool.perEndpoint(url).request), options.timeoutMs, (failed) => ({ url, ...failed }))
    const looked = await Promise.all(endpoints.map(look))
    const { network: genesisHash, ...found } = ofOneNetwork(
      looked,
      (own, first) => `It is another network: its genesis hash is ${own}, not ${first}.`,
    )
    return { network: networks[genesisHash ?? ''] ?? 'solana', genesisHash, ...found }
  } finally {
    await pool.close()
  }
}

async function lookAt(url: string, request: Request): Promise<Finding> {
  const started = performance.now()
  const latencyMs = () => Math.round(performance.now() - started)
  try {
    const genesisHash = readGenesisHash(await request('getGenesisHash', []))
    const tookMs = latencyMs()
    const latestBlock = requireNumber(await request('getSlot', [{ commitment }]), 'getSlot')
    const capabilities = await capabilitiesOf(request, latestBlock)
    return { url, ok: true, latencyMs: tookMs, latestBlock, capabilities, network: genesisHash }
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error
    return {
      url,
      ok: false,
      latencyMs: latencyMs(),
      capabilities: [],
      error: explainWrongKind(error, 'Solana').message,
    }
  }
}

/** The version of the node and the calls that following and reading need. Public endpoints limit the rate, so calls go one by one. */
async function capabilitiesOf(request: Request, slot: number): Promise<string[]> {
  const light = { commitment, transactionDetails: 'none', rewards: false, maxSupportedTransactionVersion: 0 }
  const version = await attempt(() => request('getVersion', []))
  const blocks = await attempt(() => request('getBlocks', [Math.max(0, slot - 8), slot, { commitment }]))
  const accounts = await attempt(() => request('getAccountInfo', [systemProgram, { commitment, encoding: 'base64' }]))
  const core = readField(version, 'solana-core')
  const last = Array.isArray(blocks) ? blocks.at(-1) : undefined
  const block = typeof last === 'number' ? await attempt(() => request('getBlock', [last, light])) : undefined
  return [
    ...(typeof core === 'string' ? [`solana-core ${core.slice(0, 40)}`] : []),
    ...(typeof readField(block, 'blockhash') === 'string' ? ['getBlock'] : []),
    ...(readField(accounts, 'context') === undefined ? [] : ['getAccountInfo']),
  ]
}
