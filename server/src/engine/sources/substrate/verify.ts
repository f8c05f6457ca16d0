import { type ConnectOptions, UpstreamError, type Verified } from '../../world.ts'
import { readHash, readRecord, readText } from './answers.ts'
import { fetchHead } from './connection.ts'
import { isUnknownMethod, openRpc, type Rpc } from './rpc.ts'
import { fetchHeader, openRuntimes } from './runtimes.ts'

type Network = { name: string; genesisHash: string; ss58Prefix: number }
type Finding = { endpoint: Verified['endpoints'][number]; network?: Network }

/** What `substrate.extensions` of other clients holds and metadata has made needless: types describe themselves. */
const honoured = ['ss58Format', 'ss58Prefix']

/** Every endpoint by itself; one that serves another chain than the first good one is not ok. */
export async function verify(endpoints: readonly string[], options: ConnectOptions): Promise<Verified> {
  const findings = await Promise.all(endpoints.map((url) => examine(url, options)))
  const network = findings.find(({ endpoint }) => endpoint.ok)?.network
  const needless = Object.keys(options.extensions ?? {}).filter((name) => !honoured.includes(name))
  return {
    network: network?.name ?? 'unknown',
    ...(network && { genesisHash: network.genesisHash, ss58Prefix: network.ss58Prefix }),
    latestBlock: Math.max(0, ...findings.map(({ endpoint }) => endpoint.latestBlock ?? 0)),
    endpoints: findings.map((finding) => sameNetwork(finding, network)),
    ...(needless.length > 0 && { notes: [noteOn(needless)] }),
  }
}

function noteOn(names: string[]): string {
  const list = names.slice(0, 20).join(', ').slice(0, 500)
  return `The runtime's own metadata is used, so substrate.extensions has no effect for: ${list}.`
}

function sameNetwork({ endpoint, network }: Finding, expected: Network | undefined): Verified['endpoints'][number] {
  if (!endpoint.ok || network?.genesisHash === expected?.genesisHash) return endpoint
  const error = `It serves the chain with genesis ${network?.genesisHash}, the endpoints before it ${expected?.genesisHash}.`
  return { ...endpoint, ok: false, error }
}

async function examine(url: string, options: ConnectOptions): Promise<Finding> {
  const startedAt = performance.now()
  let latencyMs: number | undefined
  const latency = () => Math.round(performance.now() - startedAt)
  const rpc = openRpc([url], options)
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
    const endpoint = { url, ok: true, latencyMs, latestBlock: head.number, capabilities }
    return { endpoint, network: { name, genesisHash, ss58Prefix: runtime.ss58Prefix } }
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error
    const message = isUnknownMethod(error) ? `It is no Substrate node: ${error.message}` : error.message
    return { endpoint: { url, ok: false, latencyMs: latencyMs ?? latency(), capabilities: [], error: message } }
  } finally {
    await rpc.pool.close()
  }
}

const methods = ['state_queryStorageAt', 'archive_v1_storage', 'chainHead_v1_follow']

/** What its own list names, and whether it still has the state of the first block. */
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

async function attempt<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error
    return undefined
  }
}
