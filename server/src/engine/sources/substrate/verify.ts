import { UpstreamError } from '../../outbound/upstream-error.ts'
import type { ConnectOptions, Verified } from '../connection.ts'
import { attempt, type Finding, ofOneNetwork, withinCheckTime } from '../one-network.ts'
import { explainWrongKind } from '../rpc-pool/index.ts'
import { readHash, readRecord, readText } from './answers.ts'
import { fetchHead } from './connection.ts'
import { openRpc, type Rpc } from './rpc.ts'
import { fetchHeader, openRuntimes } from './runtimes.ts'

/** What the endpoints of one network share besides the genesis. */
type Found = { endpoint: Finding; chain?: { name: string; ss58Prefix: number } }

/** Fields of `substrate.extensions` that other clients use and that are not needed, because metadata describes its types. */
const honoured = ['ss58Format', 'ss58Prefix']

/** Checks every endpoint separately. An endpoint of another chain than the first working one is not ok. */
export async function verify(endpoints: readonly string[], options: ConnectOptions): Promise<Verified> {
  const look = (url: string) =>
    withinCheckTime(examine(url, options), options.timeoutMs, (failed): Found => ({ endpoint: { url, ...failed } }))
  const found = await Promise.all(endpoints.map(look))
  const { network: genesisHash, ...rest } = ofOneNetwork(
    found.map(({ endpoint }) => endpoint),
    (own, first) => `It serves the chain with genesis ${own}, the endpoints before it ${first}.`,
  )
  const chain = found.find(({ endpoint }) => endpoint.ok)?.chain
  const needless = Object.keys(options.extensions ?? {}).filter((name) => !honoured.includes(name))
  return {
    network: chain?.name ?? 'unknown',
    ...(chain && { genesisHash, ss58Prefix: chain.ss58Prefix }),
    ...rest,
    ...(needless.length > 0 && { notes: [noteOn(needless)] }),
  }
}

function noteOn(names: string[]): string {
  const list = names.slice(0, 20).join(', ').slice(0, 500)
  return `The runtime's own metadata is used, so substrate.extensions has no effect for: ${list}.`
}

async function examine(url: string, options: ConnectOptions): Promise<Found> {
  const startedAt = performance.now()
  let latencyMs: number | undefined
  const latency = () => Math.round(performance.now() - startedAt)
  // The check makes many calls at once, more than some endpoints allow per second.
  const rpc = openRpc([url], { limitWaitMs: options.timeoutMs, ...options })
  try {
    const genesisHash = await rpc.ask('chain_getBlockHash', [0], readHash)
    latencyMs = latency()
    const head = await fetchHead(rpc)
    const { parentHash } = await fetchHeader(rpc, head.hash)
    const [name, runtime] = await Promise.all([
      rpc.ask('system_chain', [], readText),
      openRuntimes(rpc, options).thatMade({ hash: head.hash, parentHash }),
    ])
    const capabilities = [`metadata:v${runtime.metadataVersion}`, ...(await findCapabilities(url, rpc, genesisHash))]
    const endpoint = { url, ok: true, latencyMs, latestBlock: head.number, capabilities, network: genesisHash }
    return { endpoint, chain: { name, ss58Prefix: runtime.ss58Prefix } }
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error
    const { message } = explainWrongKind(error, 'Substrate')
    return { endpoint: { url, ok: false, latencyMs: latencyMs ?? latency(), capabilities: [], error: message } }
  } finally {
    await rpc.close()
  }
}

const methods = ['state_queryStorageAt', 'archive_v1_storage', 'chainHead_v1_follow']

/** The methods that the node lists, and whether it still has the state of the first block. */
async function findCapabilities(url: string, rpc: Rpc, genesisHash: string): Promise<string[]> {
  const [listed, history] = await Promise.all([
    attempt(() => rpc.ask('rpc_methods', [], readMethods)),
    attempt(() => rpc.ask('state_getRuntimeVersion', [genesisHash], (answer) => readRecord(answer, 'a version'))),
  ])
  const known = new Set(listed ?? [])
  const canSubscribe = /^wss?:/i.test(url) && known.has('chain_subscribeNewHeads')
  return [
    ...methods.filter((method) => known.has(method)),
    ...(canSubscribe ? ['chain_subscribeNewHeads'] : []),
    ...(history ? ['history'] : []),
  ]
}

function readMethods(answer: unknown): unknown[] {
  const { methods } = readRecord(answer, 'a list of methods')
  return Array.isArray(methods) ? methods : []
}
