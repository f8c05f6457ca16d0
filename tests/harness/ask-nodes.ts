import type { BadAnswer } from '../nodes/bad-answers.ts'
import { type ScriptedNode, startScriptedNode } from '../nodes/scripted-node.ts'
import { customSource, type Person } from './index.ts'

/** Every route that calls a node, and the message that a person gets if the node is bad. */
export type Kind = 'evm' | 'substrate' | 'solana'
export type Told = { route: string; isGood: boolean; said: string }
export type Asked = { routes: Told[]; raw: Told[] }

const hash = `0x${'12'.repeat(32)}`
const kinds: Record<Kind, { spec: object; read: object; method: string; transactionHash: string }> = {
  evm: {
    spec: { type: 'evm_log' },
    read: {
      ...{ type: 'evm_read', contract: `0x${'ab'.repeat(20)}`, method: 'total' },
      abiFragment: 'function total() view returns (uint256)',
    },
    method: 'eth_blockNumber',
    transactionHash: hash,
  },
  substrate: {
    spec: { type: 'substrate_event' },
    read: { type: 'substrate_storage', module: 'System', entry: 'Number' },
    method: 'chain_getHeader',
    transactionHash: hash,
  },
  solana: {
    spec: { type: 'solana_event' },
    read: { type: 'solana_account', account: '11111111111111111111111111111111' },
    method: 'getSlot',
    transactionHash: '1'.repeat(64),
  },
}

let sources = 0

/** `raw` calls return the node's result unchanged. */
export async function askEverything(who: Person, kind: Kind, endpoints: string[], timeoutMs: number): Promise<Asked> {
  sources += 1
  const fullname = `acme.${kind}${sources}`
  await who.saveCustomSource({ fullname, body: customSource(fullname, { kind, endpoints }) })
  const { spec, read, method, transactionHash } = kinds[kind]
  const triggerSpec = { ...spec, dataSource: fullname }
  const body = { triggerSpec, providers: [], transform: null, outputSchema: null }
  const provide = (provider: object) =>
    who.testProvider({ body: { triggerSpec, provider: { id: 'p', timeoutMs, ...provider } } })
  const routes = toldBy({
    verify: who.verifyCustomSource({ body: { workspace: 'acme', name: 'x', kind, endpoints } }),
    testBlock: who.testTriggerBlock({ body: { ...body, block: 1 } }),
    testAtBlock: who.testTrigger({ body: { ...body, test: { block: 1 } } }),
    testAtHead: who.testTrigger({ body: { ...body, test: {} } }),
    testOfTransaction: who.testTrigger({ body: { ...body, test: { transactionHash } } }),
    findLatestBlock: who.findLatestBlock({ body: { triggerSpec, maxBlocks: 20 } }),
    read: provide(read),
  })
  const raw = toldBy({
    rpcSource: provide({ type: 'rpc', transport: 'source', method }),
    rpcEndpoint: provide({ type: 'rpc', url: endpoints[0]?.replace(/^ws/, 'http'), method: 'm' }),
  })
  return { routes: await routes, raw: await raw }
}

type Answer = { valid?: boolean; ok?: boolean; issues?: unknown; error?: unknown; logs?: unknown }

async function toldBy(calls: Record<string, Promise<Answer>>): Promise<Told[]> {
  const told = Object.entries(calls).map(async ([route, call]) => {
    const { valid, ok, issues, error, logs } = await call
    const said = JSON.stringify(ok === undefined ? issues : [error, logs])
    return { route, isGood: (valid ?? ok) === true, said }
  })
  return Promise.all(told)
}

export async function withNode<T>(says: BadAnswer['says'], work: (node: ScriptedNode) => Promise<T>): Promise<T> {
  const node = await startScriptedNode(says)
  try {
    return await work(node)
  } finally {
    await node.close()
  }
}
