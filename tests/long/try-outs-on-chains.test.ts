import { deflateSync, gzipSync } from 'node:zlib'
import { address, getAddressEncoder, getProgramDerivedAddress } from '@solana/kit'
import { encodeFunctionData, keccak256, parseAbi } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  customSource,
  type Harness,
  harness,
  type Person,
  project,
  rejects,
  subscription,
  trigger,
} from '../harness/index.ts'
import { anchorHash } from '../nodes/connected-solana.ts'
import { type EvmNode, startEvmNode } from '../nodes/evm.ts'
import { answer } from '../nodes/evm-contracts.ts'
import { faultyEndpoint } from '../nodes/faulty-endpoint.ts'
import { type SolanaDouble, startSolana } from '../nodes/solana.ts'
import { setIdl } from '../nodes/solana-idls.ts'
import { type SubstrateNode, startSubstrateNode } from '../nodes/substrate.ts'

/** Each chain through the routes of the API, on a real node: tests on blocks, the latest match, reads, verification. */
let house: Harness
let ann: Person

beforeAll(async () => {
  house = await harness({ ALLOW_PRIVATE_NETWORKS: 'on' })
  ann = await house.person('ann')
  await ann.saveWorkspace({ fullname: 'acme', body: { fullname: 'acme' } })
  await ann.saveProject({ fullname: 'acme.p', body: project('acme.p') })
})
afterAll(() => house.close())

const follow = (name: string, kind: 'evm' | 'substrate' | 'solana', endpoint: string) =>
  ann.saveCustomSource({
    fullname: `acme.${name}`,
    body: customSource(`acme.${name}`, { kind, endpoints: [endpoint] }),
  })
const verify = (kind: 'evm' | 'substrate' | 'solana', ...endpoints: string[]) =>
  ann.verifyCustomSource({ body: { workspace: 'acme', name: 'x', kind, endpoints } })
const parts = { providers: [], outputSchema: null }

/** What the provider `block_at` of a trigger with this spec gives for a time. */
const blockAt = (triggerSpec: object, time: string | number) =>
  ann.testProvider({ body: { triggerSpec, provider: { id: 'then', type: 'block_at', time } } } as never)

describe('EVM', () => {
  const from = `0x${'a'.repeat(40)}`
  const to = `0x${'b'.repeat(40)}`
  const hashOf = (signature: string) => keccak256(Buffer.from(signature))
  const word = (hex: string) => `0x${hex.replace('0x', '').padStart(64, '0')}`
  const topic0 = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
  const abiFragment = 'event Transfer(address indexed from, address indexed to, uint256 value)'
  const spec = { type: 'evm_log', dataSource: 'acme.evm', abiFragment } as const
  let node: EvmNode
  let sent: { contract: string; hash: string }
  let block: number

  beforeAll(async () => {
    node = await startEvmNode()
    await follow('evm', 'evm', node.url)
    sent = await node.emit([topic0, word(from), word(to)], word((5n * 10n ** 18n).toString(16)))
    block = Number(await node.request('eth_blockNumber', []))
  })
  afterAll(() => node.close())

  test('a definition is tested on a block and on a transaction', async () => {
    const transform = '({ amount: helpers.formatUnits(source.params.value, 18), to: source.params.to })'
    const body = { ...parts, triggerSpec: spec, transform }
    const onBlock = await ann.testTriggerBlock({ body: { ...body, block } })
    expect(onBlock).toMatchObject({ valid: true, sourceEventsCount: 1, output: { raw: { amount: '5', to } } })
    const onTransaction = await ann.testTrigger({ body: { ...body, test: { transactionHash: sent.hash } } })
    expect(onTransaction.output).toEqual(onBlock.output)
    expect(onTransaction.input).toMatchObject({ transactionHash: sent.hash, event: 'Transfer' })
    const beyond = await ann.testTriggerBlock({ body: { ...body, block, itemIndex: 3 } })
    expect(beyond).toMatchObject({ valid: false, sourceEventsCount: 1, issues: [{ path: 'itemIndex' }] })
    const missing = await ann.testTriggerBlock({ body: { ...body, block: 1_000_000 } })
    expect(missing).toMatchObject({ valid: false, issues: [{ path: 'block' }] })
  })

  test('a list of contracts matches the events of each of them, and of no other', async () => {
    const found = (...contracts: string[]) =>
      ann.testTriggerBlock({
        body: { ...parts, triggerSpec: { ...spec, contract: contracts }, transform: null, block },
      })
    expect(await found(from, sent.contract.toUpperCase().replace('0X', '0x'))).toMatchObject({
      valid: true,
      sourceEventsCount: 1,
    })
    expect(await found(from, to)).toMatchObject({ valid: false, sourceEventsCount: 0 })
    expect(await found()).toMatchObject({ valid: false, issues: [{ path: 'triggerSpec.contract' }] })
  })

  test('transaction items have their status', async () => {
    const body = { ...parts, triggerSpec: { type: 'evm_transaction', dataSource: 'acme.evm' }, transform: null }
    const result = await ann.testTriggerBlock({ body: { ...body, block } })
    expect(result).toMatchObject({ valid: true, output: { raw: { hash: sent.hash, status: 1 } } })
  })

  test('a block is an item, and every N-th block is the one whose number N divides', async () => {
    const header = (await node.request('eth_getBlockByNumber', [`0x${block.toString(16)}`, false])) as {
      [name in 'hash' | 'parentHash' | 'timestamp' | 'gasLimit' | 'gasUsed' | 'baseFeePerGas' | 'miner']: string
    }
    const on = (every?: number) => ({ type: 'evm_block', dataSource: 'acme.evm', ...(every && { every }) })
    const test = (every?: number) =>
      ann.testTriggerBlock({ body: { ...parts, triggerSpec: on(every), transform: null, block } })
    const { input, output } = await test()
    expect(input).toEqual({
      ...{ number: block, hash: header.hash, parentHash: header.parentHash, timestamp: Number(header.timestamp) },
      ...{ transactionsCount: 1, gasLimit: Number(header.gasLimit), gasUsed: Number(header.gasUsed) },
      ...{ baseFeePerGas: BigInt(header.baseFeePerGas).toString(), blobGasUsed: 0, excessBlobGas: 0 },
      miner: header.miner,
    })
    expect(output).toMatchObject({ raw: input })
    expect(await test(block)).toMatchObject({ valid: true, sourceEventsCount: 1 })
    expect(await test(block + 1)).toMatchObject({ valid: false, sourceEventsCount: 0 })
    const found = await ann.findLatestBlock({ body: { triggerSpec: on(block) } })
    expect(found).toMatchObject({ matched: true, matchedBlock: expect.any(Number) })
    expect((found.matchedBlock ?? 1) % block).toBe(0)
  })

  test('a subscriber of a public trigger tests it on its private source, and can use that source for nothing else', async () => {
    const fullname = 'acme.shop.paid'
    const read = { id: 'now', type: 'rpc', transport: 'source', method: 'eth_blockNumber' } as const
    await ann.saveProject({ fullname: 'acme.shop', body: project('acme.shop', { accessLevel: 'public' }) })
    await ann.saveTrigger({
      fullname,
      body: trigger(fullname, { triggerSpec: spec, providers: [read], transform: '({ to: source.params.to })' }),
    })
    const bob = await house.person('bob')
    const workspace = bob.email.split('@')[0] ?? ''
    const { id } = await bob.createSubscription({ body: subscription(fullname, { workspace }) })
    await rejects(bob.findLatestBlock({ body: { triggerSpec: spec } }), { code: 'not_found', status: 404 })
    const { input } = await bob.findLatestBlock({ body: { trigger: fullname } })
    expect(input).toMatchObject({ transactionHash: sent.hash })
    const tried = await bob.testSubscription({ id, body: { inputs: { [fullname]: input ?? {} } } })
    expect(tried).toMatchObject({ valid: true, results: [{ trigger: fullname, activated: true, raw: { to } }] })
    await rejects(bob.findLatestBlock({ body: {} }), { code: 'invalid_payload', status: 400 })
    await ann.saveProject({ fullname: 'acme.shop', body: project('acme.shop') })
    await rejects(bob.findLatestBlock({ body: { trigger: fullname } }), { code: 'not_found', status: 404 })
  })

  test('the latest match is found by spec and conditions', async () => {
    for (let empty = 0; empty < 3; empty++) await node.send({ value: '0x1', to })
    const body = { triggerSpec: spec }
    const found = await ann.findLatestBlock({ body })
    expect(found).toMatchObject({ valid: true, matched: true, matchedBlock: block, itemIndex: 0, checkedBlocks: 4 })
    const filtersSchema = { value: { type: 'balance', decimals: 18, sourcePath: 'params.value' } }
    const asked = (value: string) =>
      ann.findLatestBlock({ body: { ...body, filtersSchema, conditions: { param: 'params.value', op: 'gt', value } } })
    expect(await asked('4999999999999999999')).toMatchObject({ matched: true })
    expect(await asked('5000000000000000000')).toMatchObject({ valid: true, matched: false })
  })

  test('conditions of a trigger are checked on blocks too, in human units', async () => {
    const above = (amount: string) =>
      ({ param: 'source.params.value', op: 'gt', value: { amount, decimals: 18 } }) as const
    const onBlock = (amount: string) =>
      ann.testTriggerBlock({
        body: { ...parts, triggerSpec: spec, transform: null, conditions: above(amount), block },
      })
    expect(await onBlock('4.9')).toMatchObject({ output: { raw: { transactionHash: sent.hash } } })
    expect(await onBlock('5')).toMatchObject({
      valid: true,
      output: null,
      debug: { activated: false, conditions: [{ path: 'conditions', value: String(5n * 10n ** 18n), held: false }] },
    })
    const latest = (amount: string) => ann.findLatestBlock({ body: { triggerSpec: spec, conditions: above(amount) } })
    expect(await latest('4.9')).toMatchObject({ matched: true, matchedBlock: block })
    expect(await latest('5')).toMatchObject({ valid: true, matched: false })
  })

  test('an amount of a token has the decimals that the token tells; what is no token never matches', async () => {
    const token = await node.deploy(answer(word('06')))
    const { hash } = await node.emit(
      [hashOf('Transfer(address,address,uint256)'), word(from), word(to)],
      word('4c4b40'),
    )
    const tested = (amount: string, token: string) =>
      ann.testTrigger({
        body: {
          ...{ ...parts, triggerSpec: spec, transform: null, inputs: { amount }, test: { transactionHash: hash } },
          conditions: { param: 'source.params.value', op: 'gte', value: { amount: '{{inputs.amount}}', token } },
        },
      })
    const held = await tested('5', token)
    const value = '5000000'
    expect(held).toMatchObject({ valid: true, debug: { activated: true, conditions: [{ held: true, wanted: value }] } })
    expect(await tested('5.000001', token)).toMatchObject({ valid: true, output: null })
    expect(await tested('1', '{{source.address}}')).toMatchObject({
      valid: true,
      output: null,
      debug: { activated: false, conditions: [{ held: false, wanted: null, value }] },
    })
    const conditions = { param: 'source.value', op: 'gt', value: { amount: '1', token: '{{source.address}}' } }
    const preview = await ann.previewTrigger({ body: { ...parts, transform: null, conditions, input: { value } } })
    expect(preview).toMatchObject({ valid: true, debug: { conditions: [{ held: null }] } })
  })

  test('a test and its item report that a signature does not say which inputs are indexed', async () => {
    const paid = await node.emit([hashOf('Paid(address,uint256)'), word(from)], word('05'))
    const testing = (event: string, hash: string) =>
      ann.testTrigger({
        body: {
          ...parts,
          triggerSpec: { type: 'evm_log', dataSource: 'acme.evm', event },
          transform: null,
          test: { transactionHash: hash },
        },
      })
    expect(await testing('Paid(address,uint256)', paid.hash)).toMatchObject({
      valid: true,
      issues: [{ path: 'triggerSpec.event', message: expect.stringContaining('Write "indexed"') }],
      input: { event: 'Paid', args: [], params: {}, undecoded: expect.stringContaining('1 of 2 inputs are indexed') },
    })
    expect(await testing('Paid(address indexed who, uint256 amount)', paid.hash)).toMatchObject({
      issues: [],
      input: { params: { who: from, amount: '5' } },
    })
    expect(await testing('Transfer(address,address,uint256)', sent.hash)).toMatchObject({
      issues: [],
      input: { params: { from, to, value: String(5n * 10n ** 18n) } },
    })
  })

  test('a match at the head is found although an older block cannot be read; the search ends at that block', async () => {
    const refused = { error: { code: -32000, message: 'block is not available' } }
    const unreadable = `0x${(block - 1).toString(16)}`
    const endpoint = await faultyEndpoint(node.url, ({ method, params }) =>
      method === 'eth_getBlockByNumber' && params[0] === unreadable ? refused : undefined,
    )
    await follow('gap', 'evm', endpoint.url)
    const triggerSpec = { ...spec, dataSource: 'acme.gap' }
    const find = (fromBlock: number) => ann.findLatestBlock({ body: { triggerSpec, fromBlock, maxBlocks: 4 } })
    expect(await find(block)).toMatchObject({ valid: true, issues: [], matched: true, matchedBlock: block })
    expect(await find(block - 1)).toMatchObject({ valid: false, matched: false, checkedBlocks: 0, issues: [{}] })
    await endpoint.close()
  })

  test('a contract is read at the block of the item, and raw calls go through the source', async () => {
    const contract = await node.deploy(answer(word('2a')))
    const abiFragment = 'function answer() view returns (uint256)'
    const provider = { id: 'read', type: 'evm_read', contract, method: 'answer', abiFragment }
    const read = await ann.testProvider({ body: { triggerSpec: spec, provider } })
    expect(read).toMatchObject({ valid: true, result: '42' })
    const token = { id: 'token', type: 'token_metadata', contract: '{{source.address}}' }
    const templateValues = { 'source.address': contract }
    const tested = await ann.testProvider({ body: { triggerSpec: spec, provider: token, templateValues } })
    const result = { address: contract.toLowerCase(), name: '*', symbol: '*', decimals: 42, standard: 'erc20' }
    expect(tested).toMatchObject({ valid: true, result })
    const rpc = { id: 'id', type: 'rpc', transport: 'source', method: 'eth_chainId' }
    expect(await ann.testProvider({ body: { triggerSpec: spec, provider: rpc } })).toMatchObject({ valid: true })
  })

  test('the last block at or before a time is found, by one provider, a test and a run', async () => {
    for (let n = 0; n < 3; n++) await node.request('evm_mine', [])
    const head = Number(await node.request('eth_blockNumber', []))
    const headerOf = async (number: number) => {
      const answer = await node.request('eth_getBlockByNumber', [`0x${number.toString(16)}`, false])
      const { hash, timestamp } = answer as { hash: string; timestamp: string }
      return { number, hash, timestampMs: Number(timestamp) * 1000 }
    }
    const wanted = await headerOf(head - 2)
    for (const time of [
      wanted.timestampMs,
      String(wanted.timestampMs + 999),
      new Date(wanted.timestampMs).toISOString(),
    ])
      expect(await blockAt(spec, time)).toMatchObject({ valid: true, result: wanted })
    const { timestampMs } = await headerOf(head)
    expect(await blockAt(spec, timestampMs)).toMatchObject({ valid: true, result: { number: head } })
    for (const time of ['1970-01-01T00:00:00Z', timestampMs + 1]) {
      const { valid, issues } = await blockAt(spec, time)
      expect([valid, issues.map(({ message }) => message)]).toEqual([
        false,
        [expect.stringContaining('block_at.out_of_range')],
      ])
    }
    const before = { id: 'before', type: 'block_at', time: '{{providers.ms}}' } as const
    const ms = { id: 'ms', type: 'javascript', source: `${wanted.timestampMs} + 1` } as const
    const transform = '({ number: providers.before.number })'
    const body = { ...parts, triggerSpec: spec, providers: [ms, before], transform }
    expect(await ann.testTriggerBlock({ body: { ...body, block } })).toMatchObject({
      valid: true,
      output: { raw: { number: wanted.number } },
    })
    const eve = await house.person('eve')
    const elsewhere = { id: 'then', type: 'block_at', time: wanted.timestampMs, source: 'acme.evm' } as const
    const timer = { type: 'timer', interval: '5m' } as const
    const asked = eve.testProvider({ body: { triggerSpec: timer, provider: elsewhere } })
    await rejects(asked, { code: 'not_found', status: 404 })
    const wrong = trigger('acme.p.wrong', { triggerSpec: spec, providers: [{ ...before, time: 'yesterday' }] })
    expect(await ann.validateTriggerDraft({ fullname: 'acme.p.wrong', body: wrong })).toMatchObject({
      issues: [{ path: 'providers.0.time' }],
    })
  })

  test('verify reports the network, and an endpoint that belongs to another one', async () => {
    const good = await verify('evm', node.url)
    expect(good).toMatchObject({ ok: true, details: { endpoints: [{ ok: true }] } })
    const other = await startEvmNode({ chainId: 99 })
    expect(await verify('evm', node.url, other.url)).toMatchObject({
      ok: false,
      details: { endpoints: [{ ok: true }, { ok: false }] },
    })
    await other.close()
  })

  test('a second public source of one network is refused before either has run, also of two at once', async () => {
    const save = (name: string, isPublic: boolean, mode: 'create' | 'update' = 'create') =>
      ann.saveCustomSource({
        fullname: `acme.${name}`,
        body: customSource(`acme.${name}`, { mode, public: isPublic, endpoints: [node.url] }),
      })
    const both = await Promise.allSettled([save('one', true), save('two', true)])
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    await rejects(save('three', true), { code: 'duplicate_source', status: 409 })
    await save('three', false)
    await rejects(save('three', true, 'update'), { code: 'duplicate_source', status: 409 })
    const [first] = both
      .map(({ status }, index) => (status === 'fulfilled' ? ['one', 'two'][index] : ''))
      .filter(Boolean)
    await save(first ?? '', false, 'update')
    await save('three', true, 'update')
  })

  test('a call is decoded by its ABI, tested on its block and transaction, and found as the latest', async () => {
    const pay = encodeFunctionData({
      abi: parseAbi(['function pay(address to, uint256 amount)']),
      args: [`0x${to.slice(2)}`, 7n],
    })
    const contract = await node.deploy(answer(word('0x1')))
    const hash = await node.send({ to: contract, data: pay, value: '0x9' })
    const block = Number(await node.request('eth_blockNumber', []))
    const { from, gasUsed } = (await node.request('eth_getTransactionReceipt', [hash])) as Record<string, string>
    const triggerSpec = {
      ...{ type: 'evm_call', dataSource: 'acme.evm', contract },
      method: 'pay(address to, uint256)',
    }
    const body = { ...parts, triggerSpec, transform: null }
    const onBlock = await ann.testTriggerBlock({ body: { ...body, block } })
    expect(onBlock.input).toEqual({
      block: { number: block, hash: expect.any(String), timestamp: expect.any(Number) },
      ...{ transactionHash: hash, transactionIndex: 0, index: 0, depth: 0, type: 'call', from, to: contract },
      ...{ address: contract, value: '9', input: pay, methodId: pay.slice(0, 10), method: 'pay', args: [to, '7'] },
      ...{ params: { to }, success: true, gasUsed: Number(gasUsed), output: null },
    })
    const onTransaction = await ann.testTrigger({ body: { ...body, test: { transactionHash: hash } } })
    expect(onTransaction.input).toEqual(onBlock.input)
    const conditions = { param: 'params.to', op: 'eq', value: to } as const
    const found = await ann.findLatestBlock({ body: { triggerSpec, conditions } })
    expect(found).toMatchObject({ matched: true, matchedBlock: block, input: onBlock.input })
    const traced = await ann.testTriggerBlock({
      body: { ...body, triggerSpec: { ...triggerSpec, internal: true }, block },
    })
    expect(traced).toMatchObject({ valid: false, issues: [{ message: expect.stringContaining('trace_block') }] })
    const other = { ...triggerSpec, abiFragment: 'function stop()' }
    const wrong = await ann.testTriggerBlock({ body: { ...body, triggerSpec: other, block } })
    expect(wrong).toMatchObject({ valid: false, issues: [{ path: 'triggerSpec.method' }] })
  })
})

/** An address without an account. */
const anywhere = 'Nowhere111111111111111111111111111111111111'

describe('Solana', () => {
  let double: SolanaDouble
  beforeAll(async () => {
    double = await startSolana()
    await follow('solana', 'solana', double.url)
  })
  afterAll(() => double.close())

  test('an event of a program is tested by slot and by signature', async () => {
    const idl = {
      address: double.emitter,
      metadata: { name: 'shop', version: '0.1.0', spec: '0.1.0' },
      instructions: [],
      events: [{ name: 'Bought', discriminator: [...anchorHash('event:Bought')] }],
      types: [{ name: 'Bought', type: { kind: 'struct', fields: [{ name: 'amount', type: 'u64' }] } }],
    }
    const amount = Buffer.alloc(8)
    amount.writeBigUInt64LE(7n)
    const signature = await double.emit({ by: 'both' }, Buffer.concat([anchorHash('event:Bought'), amount]))
    const slot = double.produceBlock()
    const triggerSpec = {
      type: 'solana_event',
      dataSource: 'acme.solana',
      programId: double.emitter,
      event: 'Bought',
      idl,
    }
    const body = { ...parts, triggerSpec, transform: '({ amount: source.params.amount })' }
    for (const where of [{ slot }, { transactionHash: signature }]) {
      const result = await ann.testTrigger({ body: { ...body, test: where } })
      expect(result).toMatchObject({ valid: true, sourceEventsCount: 1, output: { raw: { amount: '7' } } })
    }
    const provider = { id: 'account', type: 'solana_account', account: double.payer.address }
    expect(await ann.testProvider({ body: { triggerSpec, provider } })).toMatchObject({
      valid: true,
      result: { exists: true },
    })
    expect(await verify('solana', double.url)).toMatchObject({ ok: true })
  })

  test('the last block at or before a time is found among skipped slots', async () => {
    const slots = [double.produceBlock(), double.produceBlock(7), double.produceBlock(3), double.produceBlock()]
    const triggerSpec = { type: 'solana_event', dataSource: 'acme.solana', programId: double.emitter, event: 'Bought' }
    const connection = (method: string, params: unknown[]) =>
      ann.testProvider({
        body: { triggerSpec, provider: { id: 'x', type: 'rpc', transport: 'source', method, params } },
      } as never)
    const options = { transactionDetails: 'none', rewards: false, maxSupportedTransactionVersion: 0 }
    const times = await Promise.all(
      slots.map(async (slot) => {
        const { result } = await connection('getBlock', [slot, options])
        return (result as { blockTime: number }).blockTime * 1000
      }),
    )
    for (const [at, timeMs] of times.entries()) {
      const last = slots[times.lastIndexOf(timeMs)]
      if (at === times.indexOf(timeMs))
        expect(await blockAt(triggerSpec, timeMs)).toMatchObject({
          valid: true,
          result: { number: last, timestampMs: timeMs, hash: expect.any(String) },
        })
    }
  })

  test('the IDL of a program is found in its Anchor account or in Program Metadata, and becomes drafts', async () => {
    const idl = {
      address: double.emitter,
      metadata: { name: 'shop', version: '0.1.0', spec: '0.1.0' },
      instructions: [
        {
          name: 'buy_now',
          discriminator: [1],
          docs: ['Buys one item.'],
          accounts: [{ name: 'buyer', signer: true }],
          args: [{ name: 'amount', type: 'u64' }],
        },
      ],
      events: [{ name: 'Bought', discriminator: [...anchorHash('event:Bought')] }],
      types: [
        {
          name: 'Bought',
          type: {
            kind: 'struct',
            fields: [
              { name: 'amount', type: 'u64' },
              { name: 'buyer', type: 'pubkey' },
              { name: 'tags', type: { vec: 'string' } },
            ],
          },
        },
      ],
    }
    const find = (programId: string, source = 'acme.solana') => ann.findSolanaIdl({ body: { source, programId } })
    const named = { source: 'acme.solana', programId: double.emitter }
    const noIdl = await find(double.emitter)
    expect(noIdl).toMatchObject({ ...named, account: null, idl: null })
    expect(noIdl.error).toMatch(/has no IDL on the chain.*Paste the IDL instead\.$/)
    expect((await find(double.payer.address)).error).toMatch(/is not a program, but an account of 1111/)
    expect((await find(anywhere)).error).toMatch(/There is no account/)
    const json = Buffer.from(JSON.stringify(idl))
    const metadata = await setIdl.metadata(double, deflateSync(json), { compression: 2 })
    expect(await find(double.emitter)).toEqual({ ...named, account: metadata, idl })
    const anchor = await setIdl.anchor(double, deflateSync(json))
    expect(await find(double.emitter)).toEqual({ ...named, account: anchor, idl })
    await setIdl.anchor(double, Buffer.from('no zlib'))
    expect(await find(double.emitter)).toEqual({ ...named, account: metadata, idl })
    await setIdl.metadata(double, gzipSync(Buffer.alloc(5_000_000)), { compression: 1 })
    const broken = await find(double.emitter)
    expect(broken.idl).toBeNull()
    expect(broken.error).toMatch(/cannot be decompressed.*more than 4194304 bytes/)
    await setIdl.metadata(double, Buffer.from('https://x.org'), { dataSource: 1 })
    expect((await find(double.emitter)).error).toContain('names another place')
    await setIdl.metadata(double, json, {})
    expect(await find(double.emitter)).toMatchObject({ account: metadata, idl })
    await rejects(find('0x12'), { code: 'invalid_payload' })
    await rejects(find(double.emitter, 'common.ethereum'), { code: 'invalid_payload' })
    await rejects(find(double.emitter, 'acme.absent'), { code: 'not_found' })

    const body = { project: 'acme.p', ...named, idl, category: 'Shop' }
    const { drafts, error } = await ann.importSolanaDrafts({ body })
    expect(error).toBeUndefined()
    expect(drafts).toMatchObject([
      {
        fullname: 'acme.p.shop.Bought',
        tags: ['Shop'],
        triggerSpec: { type: 'solana_event', programId: double.emitter, event: 'Bought' },
        filtersSchema: { amount: { sourcePath: 'params.amount' }, buyer: { type: { addressType: 'solana' } } },
        outputSchema: { raw: { params: { properties: { amount: { type: 'balance' } } } } },
      },
      {
        fullname: 'acme.p.shop.buy_now',
        meta: { description: 'Buys one item.' },
        triggerSpec: { type: 'solana_instruction', instruction: 'buy_now', idl: { events: [], types: [] } },
        filtersSchema: { buyer: { sourcePath: 'accounts.buyer' }, amount: { sourcePath: 'args.amount' } },
      },
    ])
    for (const { id: _, ...draft } of drafts) {
      const checked = await ann.validateTriggerDraft({ fullname: draft.fullname, body: draft })
      expect(checked).toMatchObject({ valid: true, issues: [] })
    }
    const eventsOnly = await ann.importSolanaDrafts({ body: { ...body, includeCalls: false } })
    expect(eventsOnly.drafts).toHaveLength(1)
    await rejects(ann.importSolanaDrafts({ body: { ...body, idl: { name: 'x' } } }), { code: 'invalid_payload' })

    const events = Array.from({ length: 600 }, (_, at) => ({ name: `Many${at}`, fields: [] }))
    const many = await ann.importSolanaDrafts({ body: { ...body, idl: { events } } })
    expect(many.drafts).toHaveLength(500)
    expect(many.error).toBe('Only the first 500 of 600 are here. Choose fewer.')
    const same = Array.from({ length: 300 }, () => ({ name: 'Same', fields: [], docs: ['x'.repeat(300)] }))
    const alike = await ann.importSolanaDrafts({ body: { ...body, idl: { events: same } } })
    expect(alike.error).toMatch(/^Only the first [1-9]\d of 300 are here\. Choose fewer\.$/)
  })

  test('an inner instruction is tested by slot and signature, found, and counted in past blocks', async () => {
    // The program invokes itself with the tag of Anchor's events and the bytes that follow.
    const args = [{ name: 'amount', type: 'u8' }]
    const tag = [0xe4, 0x45, 0xa5, 0x2e, 0x51, 0xcb, 0x9a, 0x1d]
    const idl = {
      address: double.emitter,
      metadata: { name: 'shop', version: '0.1.0', spec: '0.1.0' },
      instructions: [{ name: 'log_amount', discriminator: tag, accounts: [], args }],
    }
    const signature = await double.emit({ by: 'invoke' }, Uint8Array.of(42))
    const slot = double.produceBlock()
    double.produceBlock()
    const named = { programId: double.emitter, instruction: 'logAmount', idl }
    const triggerSpec = { type: 'solana_instruction', dataSource: 'acme.solana', ...named } as const
    const definition = { ...parts, triggerSpec, transform: '({ amount: source.args.amount, path: source.path })' }
    const output = { raw: { amount: 42, path: '0.0' } }
    for (const where of [{ slot }, { transactionHash: signature }]) {
      const result = await ann.testTrigger({ body: { ...definition, test: where } })
      expect(result).toMatchObject({ valid: true, sourceEventsCount: 1, output })
    }
    const onBlock = await ann.testTriggerBlock({ body: { ...definition, block: slot } })
    expect(onBlock).toMatchObject({ valid: true, input: { inner: true, signers: [double.payer.address] } })
    expect(await ann.previewTrigger({ body: { ...definition, input: onBlock.input } })).toMatchObject({ output })
    const latest = await ann.findLatestBlock({ body: { triggerSpec } })
    expect(latest).toMatchObject({ matched: true, matchedBlock: slot, input: { instruction: 'log_amount' } })
    const outer = await ann.findLatestBlock({ body: { triggerSpec: { ...triggerSpec, inner: false } } })
    expect(outer).toMatchObject({ valid: true, matched: false })
    const saved = trigger('acme.p.logged', { ...definition, outputSchema: undefined })
    const counted = await ann.backtestTrigger({ body: { definition: saved, fromBlock: slot, toBlock: slot + 1 } })
    expect(counted).toMatchObject({ valid: true, result: { matched: 1, fired: 1, blocks: [{ number: slot }] } })
    const unknown = { ...definition, triggerSpec: { ...triggerSpec, instruction: 'burn' }, block: slot }
    expect(await ann.testTriggerBlock({ body: unknown })).toMatchObject({
      valid: false,
      issues: [{ path: 'triggerSpec.instruction', message: 'the IDL has no instruction burn' }],
    })
  })

  test('the core actions for balances read a wallet and its tokens of both token programs', async () => {
    const { actions } = await ann.listCoreActions()
    const read = async (type: string, inputs: Record<string, unknown>) => {
      const action = actions.find((each) => each.type === type)
      if (!action) throw new Error('There is no such action.')
      const { triggerSpec, outputSchema, transform = null } = action
      const providers = (action.providers ?? []).map((each) => ({ ...each, source: 'acme.solana' }))
      const body = { inputs, providers, outputSchema, transform, triggerSpec, test: {} }
      const result = await ann.testTrigger({ body })
      expect(result).toMatchObject({ valid: true, issues: [] })
      return (result.output as { raw: { balance: string } }).raw
    }
    const [wallet, mint] = [
      address('Wa11et1111111111111111111111111111111111111'),
      'Mint444444444444444444444444444444444444444',
    ]
    expect(await read('solana_balance', { account: wallet })).toMatchObject({ balance: '0', symbol: 'SOL' })
    double.setAccount(wallet, address('11111111111111111111111111111111'), Buffer.alloc(0), 2_500_000_000n)
    expect(await read('solana_balance', { account: wallet })).toMatchObject({ balance: '2.5' })

    const inputs = { account: wallet, mint }
    const mintData = Buffer.alloc(82)
    mintData.set([6, 1], 44)
    const bytesOf = (text: string) => getAddressEncoder().encode(address(text))
    const programs = ['TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA', 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb']
    for (const program of programs.map((each) => address(each))) {
      double.setAccount(address(mint), program, mintData)
      const programAddress = address('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL')
      const seeds = [wallet, program, mint].map(bytesOf)
      const [held] = await getProgramDerivedAddress({ programAddress, seeds })
      const before = Number((await read('spl_balance', inputs)).balance)
      const data = Buffer.alloc(165)
      data.writeBigUInt64LE(1_250_500_000n, 64)
      double.setAccount(held, program, data)
      expect(Number((await read('spl_balance', inputs)).balance) - before).toBe(1250.5)
    }
  })
})

describe('Substrate', () => {
  const named = { type: 'substrate_call', dataSource: 'acme.substrate' } as const
  let node: SubstrateNode
  beforeAll(async () => {
    node = await startSubstrateNode()
    await follow('substrate', 'substrate', node.url)
  }, 120_000)
  afterAll(() => node.close())

  test('an event of a pallet is tested on a block, and storage is read', async () => {
    const { number } = await node.transfer(node.ann, node.bob, 123_456_789_012n)
    const triggerSpec = { type: 'substrate_event', dataSource: 'acme.substrate', pallet: 'balances', event: 'Transfer' }
    const provider = {
      id: 'account',
      type: 'substrate_storage',
      module: 'System',
      entry: 'Account',
      args: ['{{source.params.to}}'],
    }
    const body = { ...parts, providers: [provider], triggerSpec }
    const transform = '({ amount: source.params.amount, free: providers.account.data.free })'
    const result = await ann.testTriggerBlock({ body: { ...body, transform, block: number } })
    expect(result).toMatchObject({ valid: true, output: { raw: { amount: '123456789012' } } })
    expect(await verify('substrate', node.url)).toMatchObject({ ok: true })
  })

  test('the last block at or before a time is found by the times of the pallet', async () => {
    const { number } = await node.transfer(node.ann, node.bob, 1_000_000_000n)
    await node.transfer(node.ann, node.bob, 1_000_000_000n)
    const provider = { id: 'now', type: 'substrate_storage', module: 'Timestamp', entry: 'Now', block: number }
    const { result } = await ann.testProvider({ body: { triggerSpec: named, provider } } as never)
    const wanted = { number, timestampMs: Number(result), hash: expect.stringMatching(/^0x/) }
    expect(await blockAt(named, Number(result))).toMatchObject({ valid: true, result: wanted })
  })

  test('the core action for a balance reads it at the block of the item', async () => {
    const { actions } = await ann.listCoreActions()
    const action = actions.find(({ type }) => type === 'substrate_balance')
    if (!action) throw new Error('There is no such action.')
    const { number } = await node.transfer(node.ann, node.bob, 5_000_000_000n)
    const { triggerSpec, providers = [], outputSchema, transform = null } = action
    const spec = { ...triggerSpec, dataSource: 'acme.substrate', every: 1 }
    const inputs = { account: node.bob.address, decimals: 9 }
    const body = { inputs, providers, outputSchema, transform, triggerSpec: spec }
    const balanceAt = async (block: number) => {
      const result = await ann.testTriggerBlock({ body: { ...body, block } })
      expect(result).toMatchObject({ valid: true, issues: [] })
      return Number((result.output as { raw: { balance: string } }).raw.balance)
    }
    expect((await balanceAt(number)) - (await balanceAt(number - 1))).toBeCloseTo(5)
  })

  test('pallets are described by the metadata of the chain, and become drafts that run', async () => {
    const source = 'acme.substrate'
    expect(await ann.getSubstrateSource({ query: { source } })).toEqual({ ss58Prefix: expect.any(Number) })
    const pallets = await ann.listSubstratePallets({ query: { source } })
    expect(pallets.map(({ name }) => name)).toEqual(pallets.map(({ name }) => name).toSorted())
    const first = await ann.whole.listSubstratePallets({ query: { source, limit: 1 } })
    expect(first.body).toEqual(pallets.slice(0, 1))
    expect(first.headers.get('link')).toContain('rel="next"')
    const balances = pallets.find(({ name }) => name === 'Balances')
    expect(balances).toMatchObject({ hasEvents: true, hasCalls: true, docs: expect.any(Array) })
    const pallet = await ann.getSubstratePallet({ query: { source, pallet: 'Balances' } })
    expect([pallet.events.length, pallet.calls.length]).toEqual([balances?.eventCount, balances?.callCount])
    expect(pallet.events.find(({ name }) => name === 'Transfer')).toMatchObject({
      docs: ['Transfer succeeded.'],
      fields: [{ name: 'from' }, { name: 'to' }, { name: 'amount', type: expect.stringContaining('Balance') }],
    })
    expect(pallet.storage.find(({ name }) => name === 'Account')).toMatchObject({ keys: ['AccountId32'] })
    await rejects(ann.getSubstratePallet({ query: { source, pallet: 'Nothing' } }), { code: 'not_found' })
    await rejects(ann.listSubstratePallets({ query: { source: 'acme.absent' } }), { code: 'not_found' })
    await rejects(ann.listSubstratePallets({ query: { source: 'common.ethereum' } }), { code: 'invalid_query' })

    const named = { project: 'acme.p', source }
    const entries = [
      { pallet: 'Balances', kind: 'event' as const, name: 'Transfer' },
      { pallet: 'Balances', kind: 'call' as const, name: 'burn_all' },
    ]
    const some = await ann.importSubstrateDrafts({ body: { ...named, entries } })
    expect(some).toMatchObject({ abiSource: 'auto', error: 'The chain has no call Balances.burn_all.' })
    const [draft] = some.drafts
    expect(draft).toMatchObject({
      fullname: 'acme.p.Balances.Transfer',
      meta: { description: 'Transfer succeeded.' },
      triggerSpec: { type: 'substrate_event', dataSource: source, pallet: 'Balances', event: 'Transfer' },
      filtersSchema: { from: { type: { addressType: 'ss58' } }, amount: { sourcePath: 'params.amount' } },
    })
    const { number } = await node.transfer(node.ann, node.bob, 55n)
    const { triggerSpec = null, transform = null, outputSchema = null } = draft ?? {}
    const definition = { providers: [], triggerSpec, transform, outputSchema }
    // The fee is a transfer too, before or after the other.
    const test = (itemIndex: number) => ann.testTriggerBlock({ body: { ...definition, block: number, itemIndex } })
    const raw = expect.objectContaining({ event: 'Transfer', params: expect.objectContaining({ amount: '55' }) })
    const output = expect.objectContaining({ raw })
    expect(await Promise.all([test(0), test(1)])).toContainEqual(expect.objectContaining({ valid: true, output }))
    const all = await ann.importSubstrateDrafts({ body: { ...named, pallets: ['Balances', 'None'] } })
    expect(all.drafts).toHaveLength(pallet.events.length + pallet.calls.length)
    expect(all.error).toBe('The chain has no pallet None.')
    await rejects(ann.importSubstrateDrafts({ body: named }), { code: 'invalid_payload' })
  })

  test('a call inside a batch is tested, found and counted in past blocks like an event', async () => {
    const { ann: sender, bob } = node
    const pay = (value: bigint) => {
      const args = { dest: { type: 'Id', value: bob.address }, value }
      return { type: 'Balances', value: { type: 'transfer_keep_alive', value: args } }
    }
    const calls = [pay(21n), pay(10n ** 30n)]
    const batch = { from: sender, call: { pallet: 'Utility', name: 'batch', args: { calls } } }
    const { number, extrinsics } = await node.newBlock([batch])
    await node.newBlock()
    const triggerSpec = { ...named, pallet: 'balances', call: 'transferKeepAlive' } as const
    const definition = { ...parts, triggerSpec, transform: '({ amount: source.params.value, path: source.path })' }
    const output = { raw: { amount: '21', path: '0.0' } }
    const onBlock = await ann.testTriggerBlock({ body: { ...definition, block: number } })
    expect(onBlock).toMatchObject({ valid: true, sourceEventsCount: 1, output })
    const hash = String(onBlock.input?.hash)
    expect(extrinsics).toHaveLength(1)
    const byHash = await ann.testTrigger({ body: { ...definition, test: { transactionHash: hash } } })
    expect(byHash).toMatchObject({ valid: true, sourceEventsCount: 1, output })
    expect(await ann.previewTrigger({ body: { ...definition, input: onBlock.input } })).toMatchObject({ output })
    const latest = await ann.findLatestBlock({ body: { triggerSpec } })
    expect(latest).toMatchObject({
      matched: true,
      matchedBlock: number,
      input: { path: '0.0', sender: sender.address },
    })
    const failed = await ann.testTriggerBlock({
      body: { ...definition, triggerSpec: { ...triggerSpec, success: false }, block: number },
    })
    expect(failed).toMatchObject({ output: { raw: { path: '0.1' } }, input: { error: { type: 'Module' } } })
    const range = { fromBlock: number, toBlock: number + 1 }
    const saved = trigger('acme.p.paid', { ...definition, outputSchema: undefined })
    const counted = await ann.backtestTrigger({ body: { definition: saved, ...range } })
    expect(counted).toMatchObject({ valid: true, result: { matched: 1, fired: 1, blocks: [{ number }] } })
  })

  test('every third block is tested, found and counted in past blocks', async () => {
    for (let count = 0; count < 3; count++) await node.newBlock()
    const head = Number(((await node.request('chain_getHeader')) as { number: string }).number)
    const third = head - (head % 3)
    const triggerSpec = { type: 'substrate_block', dataSource: 'acme.substrate', every: 3 } as const
    const definition = { ...parts, triggerSpec, transform: '({ number: source.number, author: source.author })' }
    const output = { raw: { number: third, author: expect.any(String) } }
    expect(await ann.testTriggerBlock({ body: { ...definition, block: third } })).toMatchObject({ valid: true, output })
    const other = await ann.testTriggerBlock({ body: { ...definition, block: third - 1 } })
    expect(other).toMatchObject({ valid: false, issues: [{ path: 'itemIndex' }] })
    const latest = await ann.findLatestBlock({ body: { triggerSpec } })
    expect(latest).toMatchObject({ matched: true, matchedBlock: third, input: { number: third } })
    const saved = trigger('acme.p.third', { ...definition, outputSchema: undefined })
    const counted = await ann.backtestTrigger({ body: { definition: saved, fromBlock: third - 2, toBlock: third } })
    expect(counted).toMatchObject({ valid: true, result: { matched: 1, fired: 1 } })
  })

  test('a pallet, call or event that the chain does not have is an issue of the test', async () => {
    const { number } = await node.newBlock()
    const definition = { ...parts, transform: null }
    const issueOf = async (spec: object) => {
      const triggerSpec = { ...named, ...spec } as const
      const told = await ann.testTriggerBlock({ body: { ...definition, triggerSpec, block: number } })
      const search = await ann.findLatestBlock({ body: { triggerSpec, maxBlocks: 1 } })
      expect(search).toMatchObject({ valid: false, matched: false, issues: told.issues })
      const saved = trigger('acme.p.none', { triggerSpec })
      const counted = await ann.backtestTrigger({ body: { definition: saved, fromBlock: number, toBlock: number } })
      expect(counted.result?.issues).toEqual(told.issues)
      return { valid: told.valid, ...told.issues[0] }
    }
    const valid = false
    expect(await issueOf({ pallet: 'Sudo' })).toEqual({
      ...{ valid, path: 'triggerSpec.pallet', message: 'the chain has no pallet Sudo' },
    })
    expect(await issueOf({ pallet: 'utility', call: 'force_batch' })).toEqual({
      ...{ valid, path: 'triggerSpec.call', message: 'the pallet Utility has no call force_batch' },
    })
    expect(await issueOf({ type: 'substrate_event', event: 'Sudid' })).toEqual({
      ...{ valid, path: 'triggerSpec.event', message: 'the chain has no event Sudid' },
    })
  })
})
