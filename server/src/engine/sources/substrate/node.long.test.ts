import type { TriggerSpec } from '@tocsin/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { itemsIn } from '../../../../../tests/harness/items-in.ts'
import { eventually } from '../../../../../tests/nodes/eventually.ts'
import { faultyEndpoint } from '../../../../../tests/nodes/faulty-endpoint.ts'
import { type SubstrateNode, ss58Prefix, startSubstrateNode } from '../../../../../tests/nodes/substrate.ts'
import { type OpenDoor, openDoor } from '../../outbound/index.ts'
import type { Head, LiveConnection } from '../connection.ts'
import { substrate } from './index.ts'

/** Against the real runtime of a chain: see tests/nodes/substrate.ts. */
let node: SubstrateNode
let door: OpenDoor
let chain: LiveConnection
type Made = Awaited<ReturnType<SubstrateNode['newBlock']>>
const amount = 123_456_789_012_345_678n
let transferred: Made
let created: Made
let minted: Made
let named: Made
let nested: Made

beforeAll(async () => {
  node = await startSubstrateNode()
  door = openDoor({ allowPrivateNetworks: true })
  chain = substrate.connect([node.wsUrl], options())
  const { ann, bob } = node
  const id = (value: string) => ({ type: 'Id', value })
  const assets = (name: string, args: object) => ({
    from: ann,
    call: { pallet: 'Assets', name, args: { id: 7, ...args } },
  })
  transferred = await node.transfer(ann, bob, amount)
  created = await node.newBlock([assets('create', { admin: id(ann.address), min_balance: 1n })])
  const texts = { name: Buffer.from('Seven Coins'), symbol: Buffer.from('SVN') }
  named = await node.newBlock([assets('set_metadata', { ...texts, decimals: 10 })])
  minted = await node.newBlock([
    assets('mint', { beneficiary: id(bob.address), amount }),
    assets('approve_transfer', { delegate: id(bob.address), amount: 5n }),
    { from: bob, call: { pallet: 'System', name: 'remark_with_event', args: { remark: Buffer.from('hello') } } },
    {
      from: bob,
      call: { pallet: 'Balances', name: 'transfer_keep_alive', args: { dest: id(ann.address), value: 10n ** 30n } },
    },
  ])
  nested = await node.newBlock(nestedCalls(node))
})
afterAll(async () => {
  await chain?.close()
  await door?.close()
  await node?.close()
})

/** Calls inside calls: an interrupted batch, a batch inside a batch, a proxy, the first approval of a multisig, a failed batch. */
function nestedCalls({ ann, bob }: SubstrateNode): Parameters<SubstrateNode['newBlock']>[0] {
  const id = (value: string) => ({ type: 'Id', value })
  const inner = (pallet: string, name: string, value: object) => ({ type: pallet, value: { type: name, value } })
  const pay = (value: bigint) => inner('Balances', 'transfer_keep_alive', { dest: id(bob.address), value })
  const poor = pay(10n ** 30n)
  const call = (pallet: string, name: string, args: object, from = ann) => ({ from, call: { pallet, name, args } })
  const proxied = { real: ann.address, force_proxy_type: undefined, call: pay(7n) }
  // This runtime writes the length of the call in bytes before it.
  const approved = { maybe_timepoint: undefined, call: [36, pay(8n)], store_call: false, max_weight: 10n ** 9n }
  return [
    call('Utility', 'batch', { calls: [pay(1n), poor, pay(2n)] }),
    call('Utility', 'batch_all', { calls: [inner('Utility', 'batch', { calls: [poor, pay(3n)] }), pay(4n)] }),
    call('Proxy', 'add_proxy', { delegate: bob.address, proxy_type: { type: 'Any' }, delay: 0 }),
    call('Proxy', 'proxy', proxied, bob),
    call('Multisig', 'as_multi', { threshold: 2, other_signatories: [bob.address], ...approved }),
    call('Utility', 'batch_all', { calls: [pay(5n), poor] }),
  ]
}

function options(extensions?: Record<string, unknown>) {
  return { door, timeoutMs: 20_000, responseBytesMax: 8 * 1024 * 1024, extensions }
}
const item = { number: 0, hash: '' }
const read = (fields: object, at: { number: number; hash: string } = item) =>
  chain.read({ id: 'p', type: 'substrate_storage', module: '', entry: '', ...fields }, at)

test('a transfer becomes an item with pallet, event and params by name, and addresses with the prefix of the chain', async () => {
  const block = await chain.block(transferred.number)
  const spec: TriggerSpec = { type: 'substrate_event', dataSource: 'x.y', pallet: 'balances', event: 'transfer' }
  const { ann, bob } = node
  const timestamp = expect.any(Number)
  expect(await itemsIn(substrate, spec, block!)).toEqual([
    {
      block: { number: transferred.number, hash: transferred.hash, timestamp },
      index: 3,
      pallet: 'Balances',
      event: 'Transfer',
      phase: 'ApplyExtrinsic',
      extrinsic: 2,
      args: [ann.address, bob.address, String(amount)],
      params: { from: ann.address, to: bob.address, amount: String(amount) },
    },
  ])
  expect(block).toMatchObject({ number: transferred.number, hash: transferred.hash, timestampMs: timestamp })
  const parent = await chain.block(transferred.number - 1)
  expect(block?.parentHash).toBe(parent?.hash)
  expect(block!.timestampMs! > parent!.timestampMs!).toBe(true)
})

test('a spec without pallet or event matches all events, one with an unknown name none', async () => {
  const block = (await chain.block(minted.number))!
  const matches = async (spec: object) =>
    itemsIn(substrate, { type: 'substrate_event', dataSource: 'x.y', ...spec }, block)
  const all = await matches({})
  expect(all.map(({ index }) => index)).toEqual(all.map((_, index) => index))
  expect(all.length).toBeGreaterThan(15)
  expect((await matches({ pallet: 'Assets' })).map(({ event }) => event)).toEqual(['Issued', 'ApprovedTransfer'])
  expect((await matches({ event: 'extrinsicSuccess' })).length).toBe(5)
  expect(await matches({ pallet: 'Nothing' })).toEqual([])
})

test('all values are JSON: hashes as hex, errors by name, structs by field', async () => {
  const block = (await chain.block(minted.number))!
  const find = async (event: string) =>
    (await itemsIn(substrate, { type: 'substrate_event', dataSource: 'x.y', event }, block))[0]
  expect(await find('Remarked')).toMatchObject({
    params: { sender: node.bob.address, hash: expect.stringMatching(/^0x\w{64}$/) },
  })
  const failed = await find('ExtrinsicFailed')
  expect(failed?.extrinsic).toBe(5)
  expect(failed?.params).toMatchObject({
    dispatch_error: { type: 'Module', value: { type: 'Balances', value: 'InsufficientBalance' } },
    dispatch_info: { class: 'Normal', pays_fee: 'Yes' },
  })
  expect(JSON.parse(JSON.stringify(block.contents))).toEqual({ ...(block.contents as object) })
})

test('each extrinsic is a call with its sender, nonce, arguments and result', async () => {
  const block = (await chain.block(minted.number))!
  const matches = async (spec: object) =>
    itemsIn(substrate, { type: 'substrate_call', dataSource: 'x.y', ...spec }, block)
  const { ann, bob } = node
  const { blake2b } = await import('@noble/hashes/blake2.js')
  const hash = blake2b(Buffer.from(minted.extrinsics[0]!.slice(2), 'hex'), { dkLen: 32 })
  expect(await matches({ pallet: 'assets', call: 'mint' })).toEqual([
    {
      block: { number: minted.number, hash: minted.hash, timestamp: block.timestampMs },
      index: 2,
      hash: `0x${Buffer.from(hash).toString('hex')}`,
      pallet: 'Assets',
      call: 'mint',
      args: [7, { type: 'Id', value: bob.address }, String(amount)],
      params: { id: 7, beneficiary: { type: 'Id', value: bob.address }, amount: String(amount) },
      sender: ann.address,
      nonce: 3,
      path: '0',
      success: true,
    },
  ])
  expect(await matches({ pallet: 'Balances', call: 'transferKeepAlive' })).toEqual([])
  const [poor] = await matches({ pallet: 'Balances', call: 'transferKeepAlive', success: false })
  expect(poor).toMatchObject({
    ...{ index: 5, sender: bob.address, nonce: 1, success: false },
    error: { type: 'Module', value: { type: 'Balances', value: 'InsufficientBalance' } },
  })
  const byNobody = await matches({ pallet: 'Timestamp' })
  expect(byNobody).toMatchObject([{ call: 'set', sender: null, nonce: null, index: 0 }])
  expect((await matches({ success: 'any' })).map(({ index }) => index)).toEqual([0, 1, 2, 3, 4, 5])
})

test('calls inside batches, proxies and multisigs are items with their path and their own result', async () => {
  const block = (await chain.block(nested.number))!
  const matches = async (spec: object) =>
    itemsIn(substrate, { type: 'substrate_call', dataSource: 'x.y', pallet: 'balances', ...spec }, block)
  const paid = await matches({ success: 'any' })
  const values = paid.map(({ index, path, params, success }) => [
    index,
    path,
    (params as { value: string }).value,
    success,
  ])
  const much = String(10n ** 30n)
  expect(values).toEqual([
    [2, '0.0', '1', true],
    [2, '0.1', much, false],
    [2, '0.2', '2', false],
    [3, '0.0.0', much, false],
    [3, '0.0.1', '3', false],
    [3, '0.1', '4', true],
    [5, '0.0', '7', true],
    [6, '0.0', '8', false],
    [7, '0.0', '5', false],
    [7, '0.1', much, false],
  ])
  const poor = { type: 'Module', value: { type: 'Balances', value: 'InsufficientBalance' } }
  expect(paid.map(({ error }) => error)).toMatchObject([
    ...[undefined, poor, 'NotExecuted', poor, 'NotExecuted'],
    ...[undefined, undefined, 'NotExecuted', poor, poor],
  ])
  expect(paid[6]).toMatchObject({ sender: node.bob.address, nonce: 2 })
  expect((await matches({})).map(({ path }) => path)).toEqual(['0.0', '0.1', '0.0'])
  expect(await matches({ nested: false, success: 'any' })).toEqual([])
})

test('a block is an item with its roots and the collator whose turn the slot was', async () => {
  const block = (await chain.block(minted.number, ['author']))!
  const matches = async (every?: number) =>
    itemsIn(substrate, { type: 'substrate_block', dataSource: 'x.y', every }, block)
  type Header = { parentHash: string; stateRoot: string; extrinsicsRoot: string; digest: { logs: string[] } }
  const header = (await node.request('chain_getHeader', [minted.hash])) as Header
  const { parentHash, stateRoot, extrinsicsRoot, digest } = header
  const members = (await read({ module: 'Session', entry: 'Validators', block: parentHash })) as string[]
  const slot = Buffer.from(digest.logs[0]!.slice(14), 'hex').readBigUInt64LE()
  expect(await matches()).toEqual([
    {
      ...{ number: minted.number, hash: minted.hash, parentHash, timestamp: block.timestampMs },
      ...{ stateRoot, extrinsicsRoot, author: members[Number(slot % BigInt(members.length))] },
    },
  ])
  expect(await matches(minted.number)).toHaveLength(1)
  expect(await matches(minted.number + 1)).toEqual([])
  expect((await chain.block(minted.number, []))?.contents).not.toHaveProperty('header.author')
})

test('extrinsics that a node leaves out are read from another node; extrinsics that cannot be decoded leave the events', async () => {
  const sent = (await node.request('chain_getBlock', [minted.hash])) as { block: { extrinsics: string[] } }
  const { block } = sent
  const answering = (extrinsics: string[]) =>
    faultyEndpoint(node.url, ({ method }) =>
      method === 'chain_getBlock' ? { result: { ...sent, block: { ...block, extrinsics } } } : undefined,
    )
  const short = await answering(block.extrinsics.slice(0, -2))
  const broken = await answering(block.extrinsics.with(2, '0x0c84ffff'))
  const reading = async (urls: string[], read: (chain: LiveConnection) => Promise<unknown>) => {
    const opened = substrate.connect(urls, options())
    return read(opened).finally(() => opened.close())
  }
  const whole = await chain.block(minted.number)
  expect(await reading([short.url, node.url], (one) => one.block(minted.number))).toEqual(whole)
  const alone = reading([short.url], (one) => one.block(minted.number))
  await expect(alone).rejects.toThrow(/has 4 of the 6 extrinsics/)
  await expect(reading([broken.url], (one) => one.block(minted.number))).rejects.toThrow('cannot be decoded')
  const lacking = await reading([broken.url], (one) => one.block(minted.number, ['transactions'], { mayLack: true }))
  expect(lacking).toMatchObject({ unreadable: [{ part: 'transactions', specTypes: ['substrate_call'] }] })
  expect(await reading([broken.url], (one) => one.block(minted.number, []))).toMatchObject({ hash: minted.hash })
  await short.close()
  await broken.close()
})

test('storage is read as it was at each block: plain, map, double map and a map of three keys', async () => {
  const { ann, bob } = node
  expect(await read({ module: 'system', entry: 'number', block: created.number })).toBe(created.number)
  const free = async (block: number) => {
    const value = await read({ module: 'System', entry: 'Account', args: [bob.address], block })
    return BigInt((value as { data: { free: string } }).data.free)
  }
  expect((await free(transferred.number)) - (await free(transferred.number - 1))).toBe(amount)
  const held = { module: 'Assets', entry: 'Account', args: [7, bob.publicKey] }
  expect(await read(held, created)).toBeNull()
  expect(await read(held, minted)).toMatchObject({ balance: String(amount) })
  const approval = { module: 'Assets', entry: 'Approvals', args: ['7', ann.address, bob.address] }
  expect(await read({ ...approval, block: created.hash }, minted)).toBeNull()
  expect(await read(approval, minted)).toMatchObject({ amount: '5' })
})

test('an asset is a token with the name, symbol and decimals of its metadata', async () => {
  const token = (contract: string, at = created) => chain.read({ id: 'token', type: 'token_metadata', contract }, at)
  expect(await token('7')).toEqual({ address: '7', name: null, symbol: null, decimals: 0, standard: 'assets' })
  expect(await token('7', named)).toMatchObject({ name: 'Seven Coins', symbol: 'SVN', decimals: 10 })
  await expect(token('8')).rejects.toThrow('The chain has no asset 8.')
  await expect(token('seven')).rejects.toThrow('must be an integer')
})

test('an entry without a stored value returns its default', async () => {
  const nobody = `0x${'07'.repeat(32)}`
  expect(await read({ module: 'System', entry: 'Account', args: [nobody] }, minted)).toMatchObject({
    nonce: 0,
    data: { free: '0' },
  })
})

test.each([
  [{ module: 'Nothing', entry: 'X' }, 'The chain has no pallet "Nothing".'],
  [{ module: 'System', entry: 'X' }, 'The pallet System has no storage entry "X".'],
  [{ module: 'Assets', entry: 'Account', args: [7] }, 'Account takes 2 args, not 1.'],
  [{ module: 'Assets', entry: 'Asset', args: ['many'] }, 'args.0 must be an integer'],
  [{ module: 'Assets', entry: 'Asset', args: [-1] }, 'args.0 must be within u32.'],
  [{ module: 'System', entry: 'Account', args: ['5Grwva'] }, 'args.0 must be an ss58 address or 32 bytes in hex.'],
  [{ module: 'System', entry: 'Number', block: 99_999 }, 'The network has no block 99999 yet.'],
  [{ module: 'System', entry: 'Number', block: 'soon' }, '"block" must be a block number or a block hash'],
])('a read that the chain cannot answer fails with what to change: %j', async (fields, message) => {
  await expect(read(fields, minted)).rejects.toThrow(message)
})

test('a block that the chain has not reached is undefined', async () => {
  const head = await chain.head()
  expect(head).toEqual({ number: nested.number, hash: nested.hash })
  expect(await chain.block(head.number + 1)).toBeUndefined()
})

test('a recent extrinsic is found by its hash; an unknown hash fails with the reason', async () => {
  const { blake2b } = await import('@noble/hashes/blake2.js')
  const hash = Buffer.from(blake2b(Buffer.from(transferred.extrinsics[0]!.slice(2), 'hex'), { dkLen: 32 })).toString(
    'hex',
  )
  expect(await chain.blockOfTransaction(`0x${hash}`)).toMatchObject({ number: transferred.number })
  expect(await chain.blockOfTransaction(created.hash)).toMatchObject({ number: created.number })
  await expect(chain.blockOfTransaction(`0x${'1'.repeat(64)}`)).rejects.toThrow('not in the latest 32 blocks')
})

test('HTTP works like a WebSocket, and the address prefix can be set', async () => {
  const other = substrate.connect([node.url], options({ ss58Format: 0 }))
  const { contents: plain } = (await chain.block(minted.number))!
  const { contents } = (await other.block(minted.number))!
  await other.close()
  const text = JSON.stringify(contents)
  expect(text).not.toContain(node.bob.address)
  expect(text.length).toBeGreaterThan(JSON.stringify(plain).length * 0.9)
})

test('verification reports the network and finds the endpoint that is not a Substrate node', async () => {
  const dead = 'http://127.0.0.1:9/'
  const verified = await substrate.verify([node.url, node.wsUrl, dead], options({ types: {} }))
  expect(verified).toMatchObject({
    network: 'asset-hub-rococo',
    genesisHash: await node.request('chain_getBlockHash', [0]),
    ss58Prefix,
    latestBlock: nested.number,
    endpoints: [
      {
        url: node.url,
        ok: true,
        latestBlock: nested.number,
        capabilities: expect.arrayContaining(['metadata:v14', 'history']),
      },
      { url: node.wsUrl, ok: true },
      { url: dead, ok: false, error: expect.any(String) },
    ],
    notes: [expect.stringContaining('types')],
  })
})

test('new heads arrive over a WebSocket', async () => {
  const heads: Head[] = []
  const stream = chain.heads({ onHead: (head) => void heads.push(head) })
  await eventually(() => heads.length > 0)
  const { number, hash } = await node.newBlock()
  await eventually(() => heads.some((head) => head.number === number))
  const block = await chain.block(number)
  expect(heads.at(-1)).toEqual({ number, parentHash: block?.parentHash })
  expect(block?.hash).toBe(hash)
  stream.close()
})
