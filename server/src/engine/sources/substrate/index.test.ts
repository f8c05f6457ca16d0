import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { itemsIn } from '../../../../../tests/harness/items-in.ts'
import { defs, type MetadataVersion, sampleMetadata } from '../../../../../tests/nodes/substrate-metadata.ts'
import { type OpenDoor, openDoor } from '../../outbound/index.ts'
import { UpstreamError } from '../../outbound/upstream-error.ts'
import type { Connection } from '../connection.ts'
import { substrate } from './index.ts'

/** Nodes that a test writes by hand: each method's answer, or what the server does instead. */
type Answers = Record<string, unknown>
const html = Symbol('a web page')
const hang = Symbol('no answer')
const fail = (message: string, code = -32000) => ({ error: { code, message } })

let door: OpenDoor
const servers: Server[] = []
const connections: Connection[] = []
beforeAll(() => {
  door = openDoor({ allowPrivateNetworks: true })
})
afterAll(() => door.close())
afterEach(async () => {
  await Promise.all(connections.splice(0).map((each) => each.close()))
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

const hash = (digit: string) => `0x${digit.repeat(64)}`
const eventsKey = '0x26aa394eea5630e07c48ae0c9558cef780d41e5e16056765bc8461851072c9d7'
const nowKey = '0xf0c365c3cf59d671eb72da0e7a4113c49f1f0515f462cdcf84e0f1d6045dfcbb'
/** Moved{1000, "hi"} in extrinsic 2; Old(7, 8) and Empty when the block began; Single(9) when it ended. */
const events = `0x${[
  '10',
  '0002000000' + '0700' + 'e8030000000000000000000000000000' + '086869' + '00',
  '02' + '0704' + '07000000' + '08000000000000000000000000000000' + '00',
  '02' + '0706' + '00',
  '01' + '0705' + '09000000' + '00',
].join('')}`

function wellNode(version: MetadataVersion = 14, more: Answers = {}): Answers {
  return {
    chain_getBlockHash: ([number]: unknown[]) =>
      number === 0 ? hash('0') : number === undefined || number === 5 ? hash('5') : null,
    chain_getHeader: {
      number: '0x5',
      parentHash: hash('4'),
      extrinsicsRoot: hash('e'),
      stateRoot: hash('a'),
      digest: {},
    },
    state_getRuntimeVersion: ([at]: unknown[]) =>
      at === hash('4') ? { specName: 'sample', specVersion: version } : fail('at the parent'),
    state_call: fail('Execution failed: Function to start was not found.'),
    state_getMetadata: sampleMetadata(version),
    state_getStorage: ([key]: unknown[]) => (key === eventsKey ? events : key === nowKey ? '0x00e40b5402000000' : null),
    system_properties: {},
    system_chain: 'Sample',
    rpc_methods: { methods: [] },
    ...more,
  }
}

async function start(answers: Answers): Promise<string> {
  const server = createServer(async (request, response) => {
    const { id, method, params } = JSON.parse(Buffer.concat(await request.toArray()).toString())
    const known = answers[method]
    const said = typeof known === 'function' ? known(params) : known
    if (said === hang) return
    if (said === html) return void response.end('<html>Bad gateway</html>')
    const answer = said === undefined ? fail('Method not found', -32601) : isFailure(said) ? said : { result: said }
    response.end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }))
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

function isFailure(said: unknown): said is object {
  return typeof said === 'object' && said !== null && 'error' in said
}

/** Only a node that hangs needs a short time: a busy machine answers late. */
const options = (timeoutMs = 20_000) => ({ door, timeoutMs, responseBytesMax: 1_000_000 })

async function connect(...nodes: Answers[]): Promise<Connection> {
  const timeoutMs = nodes.some(({ state_getMetadata }) => state_getMetadata === hang) ? 400 : undefined
  const connection = substrate.connect(await Promise.all(nodes.map(start)), options(timeoutMs))
  connections.push(connection)
  return connection
}

test.each([14, 15, 16] as const)('events are decoded with metadata of version %i', async (version) => {
  const at = (asked: unknown[]) => {
    if (asked[0] === 'Metadata_metadata_versions') return '0x100d0000000e0000000f00000010000000'
    const metadata = sampleMetadata(version).slice(2)
    const compact = Buffer.alloc(4)
    compact.writeUInt32LE(metadata.length * 2 + 2)
    return asked[1] === '0x10000000' ? `0x01${compact.toString('hex')}${metadata}` : fail('another version')
  }
  const chain = await connect(
    wellNode(version, version === 14 ? {} : { state_call: at, state_getMetadata: fail('not asked') }),
  )
  const block = await chain.block(5, [])
  const base = { block: { number: 5, hash: hash('5'), timestamp: 10_000_000_000 }, pallet: 'Sample' }
  expect(await itemsIn(substrate, { type: 'substrate_event', dataSource: 'a.b' }, block!)).toEqual([
    {
      ...base,
      index: 0,
      event: 'Moved',
      phase: 'ApplyExtrinsic',
      extrinsic: 2,
      args: ['1000', '0x6869', null],
      params: { amount: '1000', memo: '0x6869', nothing: null },
    },
    {
      ...base,
      index: 1,
      event: 'Old',
      phase: 'Initialization',
      extrinsic: null,
      args: [7, null, '8'],
      params: { 0: 7, 1: null, 2: '8' },
    },
    { ...base, index: 2, event: 'Empty', phase: 'Initialization', extrinsic: null, args: [], params: {} },
    { ...base, index: 3, event: 'Single', phase: 'Finalization', extrinsic: null, args: [9], params: { 0: 9 } },
  ])
})

test('storage keys use the prefix of the pallet instance; defaults, absent values and key sets are distinguished', async () => {
  const asked: unknown[] = []
  const state_getStorage = ([key]: [string]) => {
    asked.push(key)
    return key.endsWith('01000000') ? '0x' : null
  }
  const chain = await connect(wellNode(14, { state_getStorage }))
  const read = (entry: string, ...args: unknown[]) =>
    chain.read({ id: 'p', type: 'substrate_storage', module: 'sample', entry, args }, { number: 5, hash: hash('5') })
  expect(await read('total')).toBe(42)
  expect(await read('Both', 1, '0x2')).toBeNull()
  expect(await read('Members', 1)).toBe(true)
  expect(await read('Members', 2)).toBeNull()
  const { Twox128 } = await import('@polkadot-api/substrate-bindings')
  const name = (text: string) => Buffer.from(Twox128(Buffer.from(text))).toString('hex')
  const prefix = `0x${name('Instance1Sample')}`
  expect(asked[0]).toBe(`${prefix}${name('Total')}`)
  expect(asked[1]).toBe(`${prefix}${name('Both')}0100000002${'00'.repeat(15)}`)
})

const brokenTypes = defs.with(9, { tag: 'sequence', value: 99 })
const old = `0x6d657461${'0d'}00`
test.each<[string, Answers, string]>([
  ['an HTML page', { chain_getHeader: html }, 'a web page instead of JSON-RPC'],
  ['a node that hangs', { state_getMetadata: hang }, 'did not answer within'],
  ['null for a header', { chain_getHeader: null }, 'no header of the block'],
  ['a number for a header', { chain_getHeader: 5 }, 'not a header'],
  [
    'a header of another block',
    { chain_getHeader: { number: '0x6', parentHash: hash('4'), extrinsicsRoot: hash('e'), stateRoot: hash('a') } },
    'answered block 6 when asked for 5',
  ],
  ['null for metadata', { state_getMetadata: null }, 'not bytes in hex'],
  ['empty metadata', { state_getMetadata: '0x' }, 'metadata that cannot be read'],
  ['truncated metadata', { state_getMetadata: sampleMetadata(14).slice(0, 400) }, 'metadata that cannot be read'],
  ['metadata from before version 14', { state_getMetadata: old }, 'metadata of version 13; 14 and later can be read'],
  ['metadata that lacks a type', { state_getMetadata: sampleMetadata(14, brokenTypes) }, 'type that cannot be read'],
  ['truncated events', { state_getStorage: events.slice(0, -20) }, 'events of block 5 cannot be decoded'],
  ['events with extra bytes', { state_getStorage: `${events}00` }, 'bytes are left over'],
  ['an unknown event', { state_getStorage: '0x04020799' }, 'no event 153 of a pallet 7'],
  ['a block without its events', { state_getStorage: null }, 'but not its events'],
  ['text for storage', { state_getStorage: 'events' }, 'not bytes in hex'],
  ['an invalid version', { state_getRuntimeVersion: {} }, 'not a runtime version'],
  ['discarded state', { state_getStorage: fail('State already discarded') }, 'State already discarded'],
])('%s fails with a clear message, in time', async (_name, more, message) => {
  const chain = await connect(wellNode(14, more))
  const error: unknown = await chain.block(5, []).catch((reason) => reason)
  expect(error).toBeInstanceOf(UpstreamError)
  expect(error).toMatchObject({ message: expect.stringContaining(message) })
})

test('a block with older metadata fails with the first readable block, which is searched once', async () => {
  const asked = { metadata: 0 }
  const blocks = 1000
  const numbered = (number: number) => `0x${number.toString(16).padStart(64, '0')}`
  const header = ([at]: [string?]) => {
    const number = at === undefined ? blocks : Number(at)
    return { number, parentHash: numbered(Math.max(0, number - 1)), extrinsicsRoot: hash('e'), stateRoot: hash('a') }
  }
  const specAt = (at: string) => Math.floor(Number(at) / 100)
  const chain = await connect(
    wellNode(14, {
      chain_getBlockHash: ([number = blocks]: [number?]) => (number <= blocks ? numbered(number) : null),
      chain_getHeader: header,
      state_getRuntimeVersion: ([at]: [string]) => ({ specName: 'sample', specVersion: specAt(at) }),
      state_getMetadata: ([at]: [string]) => {
        asked.metadata += 1
        return specAt(at) < 7 ? `0x6d657461${specAt(at) < 3 ? '0c' : '0d'}00` : sampleMetadata(14)
      },
    }),
  )
  await expect(chain.block(5, [])).rejects.toThrow(
    'Blocks of this chain can be read since block 701: earlier ones use metadata version 12.',
  )
  await expect(chain.block(400, [])).rejects.toThrow('since block 701: earlier ones use metadata version 13.')
  expect((await chain.block(701, []))?.number).toBe(701)
  const spent = asked.metadata
  await expect(chain.block(700, [])).rejects.toThrow('since block 701')
  expect(asked.metadata - spent).toBe(1)
})

test('a block that one endpoint lacks is read from another', async () => {
  const pruned = wellNode(14, { state_getStorage: fail('State already discarded'), chain_getHeader: null })
  const chain = await connect(pruned, wellNode())
  expect((await chain.block(5, []))?.number).toBe(5)
})

test('a block without extrinsics may have no events', async () => {
  const empty = '0x03170a2e7597b7b7e3d84c05391d139a62b157e78786d8c082f29dcf4c111314'
  const header = { number: '0x5', parentHash: hash('4'), extrinsicsRoot: empty, stateRoot: hash('a') }
  const chain = await connect(wellNode(14, { chain_getHeader: header, state_getStorage: null }))
  const [stateRoot, extrinsicsRoot] = [hash('a'), empty]
  expect((await chain.block(5, []))?.contents).toEqual({ events: [], header: { stateRoot, extrinsicsRoot } })
})

test('an endpoint with a false genesis does not affect the decoding of other endpoints', async () => {
  const liar = await connect(
    wellNode(14, {
      state_getMetadata: sampleMetadata(
        14,
        defs.with(3, { tag: 'primitive', value: { tag: 'i128', value: undefined } }),
      ),
    }),
  )
  await liar.block(5, [])
  const honest = await connect(
    wellNode(14, {
      state_getStorage: ([key]: unknown[]) => (key === eventsKey ? `0x04020700${'ff'.repeat(16)}0000` : null),
    }),
  )
  const [item] = await itemsIn(substrate, { type: 'substrate_event', dataSource: 'a.b' }, (await honest.block(5, []))!)
  expect(item?.params).toMatchObject({ amount: String(2n ** 128n - 1n) })
})

test('verification rejects an endpoint of another chain, an EVM node and a dead endpoint', async () => {
  const other = wellNode(14, { chain_getBlockHash: ([number]: unknown[]) => hash(number === 0 ? '9' : '5') })
  const urls = await Promise.all([wellNode(), other, { eth_chainId: '0x1' }, { chain_getBlockHash: hang }].map(start))
  const verified = await substrate.verify(urls, options(3_000))
  expect(verified).toMatchObject({ network: 'Sample', genesisHash: hash('0'), ss58Prefix: 5, latestBlock: 5 })
  expect(verified.endpoints.map(({ ok, error }) => [ok, error?.replace(/127\S+/, 'HOST')])).toEqual([
    [true, undefined],
    [false, `It serves the chain with genesis ${hash('9')}, the endpoints before it ${hash('0')}.`],
    [false, 'This endpoint is no Substrate node: HOST answered: Method not found'],
    [false, expect.stringContaining('did not answer within')],
  ])
})

test('a spec or provider of another chain is refused by name', async () => {
  await expect(substrate.items.prepare({ type: 'evm_transaction', dataSource: 'a.b' })).rejects.toThrow(
    'evm_transaction',
  )
  const chain = await connect(wellNode())
  await expect(
    chain.read({ id: 'p', type: 'evm_read', contract: '', abiFragment: '', method: '' }, undefined),
  ).rejects.toThrow('evm_read')
})
