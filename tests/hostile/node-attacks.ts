import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import type { SourceKind } from '@tocsin/contract'
import { customSource } from '../harness/records.ts'
import { startEvmNode } from '../nodes/evm.ts'
import { faultyEndpoint } from '../nodes/faulty-endpoint.ts'
import { startScriptedNode } from '../nodes/scripted-node.ts'
import { startSolana } from '../nodes/solana.ts'
import { sampleMetadata } from '../nodes/substrate-metadata.ts'
import type { Attack } from './send.ts'
import { type Shape, shapes } from './shapes.ts'

/**
 * Nodes that answer one method in a hostile shape and everything else as it is, and receivers that answer a provider so.
 * `requests` makes the service ask them.
 */
export type NodeAttack = { name: string; start(): Promise<{ requests: Attack[]; close(): Promise<void> }> }
export type HostileNodes = {
  /** Nodes that answer well, for what else needs one. */
  urls: Record<SourceKind, string>
  attacks: NodeAttack[]
  close(): Promise<void>
}
type Node = { url: string; close(): Promise<void> }

/** What no body of a request can hold, because an answer may be larger. */
const large: Shape[] = [
  { name: '16 MB of small objects after a big number', json: `[12345678901234567890${',{}'.repeat(5_300_000)}]` },
  { name: '8 MB of zeros', json: `[0${',0'.repeat(4_000_000)}]` },
  { name: 'a text of 20 MB', json: `"0x${'63'.repeat(10_000_000)}"` },
]

/** The methods that the service calls, each of which is answered badly in turn. */
const methods: Record<SourceKind, string[]> = {
  evm: [
    ...['eth_chainId', 'eth_blockNumber', 'eth_getBlockByNumber', 'eth_getLogs', 'eth_getTransactionReceipt'],
    ...['eth_call', 'eth_getCode', 'eth_getStorageAt'],
  ],
  substrate: [
    ...['state_getMetadata', 'chain_getBlockHash', 'chain_getHeader', 'chain_getBlock', 'state_getStorage'],
    ...['system_properties', 'state_getRuntimeVersion', 'state_call'],
  ],
  solana: ['getGenesisHash', 'getSlot', 'getBlock', 'getTransaction', 'getAccountInfo', 'getBlocks'],
}

export async function startHostileNodes(): Promise<HostileNodes> {
  const [evm, substrate, solana] = await Promise.all([startEvmNode(), startSmallSubstrate(), startSolana()])
  const nodes: Record<SourceKind, Node> = { evm, substrate, solana }
  const ofNodes = (Object.keys(nodes) as SourceKind[]).flatMap((kind) =>
    methods[kind].flatMap((method) =>
      [...shapes, ...large].map((shape) => ({
        name: `${kind} ${method}: ${shape.name}`,
        start: () => startAttack(kind, nodes[kind], method, shape),
      })),
    ),
  )
  const ofReceivers = [...shapes, ...large].map((shape) => ({
    name: `an answer to a provider: ${shape.name}`,
    start: () => startReceiver(shape),
  }))
  return {
    urls: { evm: evm.url, substrate: substrate.url, solana: solana.url },
    attacks: [...ofNodes, ...ofReceivers],
    close: async () => void (await Promise.all(Object.values(nodes).map((node) => node.close()))),
  }
}

async function startAttack(kind: SourceKind, node: Node, method: string, { json }: Shape) {
  const packed = (id: unknown) =>
    gzipSync(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${json}}`, { level: 1 })
  const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
  const { url, close } = await faultyEndpoint(node.url, (call) =>
    call.method === method ? (response) => response.writeHead(200, headers).end(packed(call.id)) : undefined,
  )
  return { requests: requestsOf(kind, url), close }
}

async function startReceiver({ json }: Shape) {
  const server = createServer((_, response) => response.setHeader('content-type', 'application/json').end(json))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const test = (provider: object) =>
    post('/api/triggers/providers/test', {
      ...{ triggerSpec: { type: 'timer', interval: '1m' }, provider: { id: 'p', url, ...provider }, project: 'acme.p' },
    })
  const requests = [
    test({ type: 'http' }),
    test({ type: 'graphql', query: '{ a }' }),
    test({ type: 'rpc', method: 'm' }),
  ]
  return { requests, close: async () => void server.close() }
}

const contract = `0x${'ab'.repeat(20)}`
const programId = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'

/** All that makes the service call a node. The first one saves the source, and the last one removes it. */
function requestsOf(kind: SourceKind, endpoint: string): Attack[] {
  const source = `acme.hostile-${randomBytes(6).toString('hex')}`
  const path = `/api/custom-sources/${source}`
  const saved = customSource(source, { kind, endpoints: [endpoint] })
  const of = { project: 'acme.p', source }
  const specOf: Record<SourceKind, object> = {
    evm: { type: 'evm_log' },
    substrate: { type: 'substrate_event' },
    solana: { type: 'solana_event' },
  }
  const triggerSpec = { ...specOf[kind], dataSource: source }
  const definition = { triggerSpec, providers: [], transform: null, outputSchema: null }
  const transactionHash = kind === 'solana' ? '1'.repeat(64) : `0x${'12'.repeat(32)}`
  const read = (provider: object) =>
    post('/api/triggers/providers/test', { triggerSpec, provider: { id: 'p', ...provider } })
  const ofKind: Record<SourceKind, Attack[]> = {
    evm: [
      post('/api/triggers/import/inspect', { source, address: contract }),
      post('/api/triggers/import/evm/abi', { source, contract }),
      post('/api/triggers/import/evm/drafts', { ...of, contract }),
      read({ type: 'evm_read', contract, method: 'f', abiFragment: 'function f() view returns (string)' }),
    ],
    substrate: [
      { name: '', method: 'GET', path: `/api/triggers/substrate/pallets?source=${source}` },
      { name: '', method: 'GET', path: `/api/triggers/substrate/pallet?source=${source}&pallet=System` },
      post('/api/triggers/import/substrate/drafts', { ...of, pallets: ['System'] }),
      read({ type: 'substrate_storage', module: 'System', entry: 'Number' }),
    ],
    solana: [
      post('/api/triggers/import/solana/idl', { source, programId }),
      post('/api/triggers/import/solana/drafts', { ...of, programId }),
      read({ type: 'solana_account', account: '11111111111111111111111111111111' }),
    ],
  }
  return [
    { name: '', method: 'PUT', path, body: () => JSON.stringify(saved) },
    post('/api/custom-sources/verify', { workspace: 'acme', name: 'x', kind, endpoints: [endpoint] }),
    post('/api/triggers/test-block', { ...definition, block: 1 }),
    post('/api/triggers/test', { ...definition, test: {} }),
    post('/api/triggers/test', { ...definition, test: { transactionHash } }),
    post('/api/triggers/find-latest-block', { triggerSpec, maxBlocks: 20 }),
    ...ofKind[kind],
    { name: '', method: 'DELETE', path },
  ]
}

function post(path: string, body: object): Attack {
  return { name: '', method: 'POST', path, body: () => JSON.stringify(body) }
}

/** The real node of other tests takes a gigabyte, and its answers are replaced anyway. */
async function startSmallSubstrate(): Promise<Node> {
  const hash = `0x${'12'.repeat(32)}`
  const header = { parentHash: hash, number: '0x1', stateRoot: hash, extrinsicsRoot: hash, digest: { logs: [] } }
  const answers: Record<string, unknown> = {
    state_getMetadata: sampleMetadata(14),
    state_getRuntimeVersion: { specName: 'node', specVersion: 1, implName: 'node', transactionVersion: 1, apis: [] },
    system_properties: { ss58Format: 42, tokenSymbol: 'UNIT', tokenDecimals: 12 },
    system_chain: 'Development',
    chain_getHeader: header,
    chain_getBlock: { block: { header, extrinsics: [] }, justifications: null },
    state_getStorage: null,
  }
  return startScriptedNode(({ id, method }) => {
    // As an old runtime, it has no call that lists the versions of its metadata.
    if (method === 'state_call')
      return { jsonrpc: '2.0', id, error: { code: -32603, message: 'Exported method is not found' } }
    return { jsonrpc: '2.0', id, result: method in answers ? answers[method] : hash }
  })
}
