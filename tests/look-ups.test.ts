import { encodeAbiParameters, keccak256, toBytes, toHex } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sweep } from '../server/src/sweeper.ts'
import { customSource, type Harness, harness, type Person, project, rejects } from './harness/index.ts'
import { type AbiServers, type Misbehaviour, type ServiceName, startAbiServers } from './nodes/abi-services.ts'
import { type EvmNode, startEvmNode } from './nodes/evm.ts'
import { answer, answers, anyEmitter, delegating, destroyed, emission, erc721 } from './nodes/evm-contracts.ts'
import { faultyEndpoint } from './nodes/faulty-endpoint.ts'

/** From an address to triggers, with local servers that speak the real APIs and a real node. */

let house: Harness
let ann: Person
let node: EvmNode
let services: AbiServers

beforeAll(async () => {
  services = await startAbiServers()
  node = await startEvmNode()
  house = await harness({
    ...services.variables,
    ALLOW_PRIVATE_NETWORKS: 'on',
    SOURCE_TIMEOUT_MS: '5000',
  })
  ann = await house.person('ann')
  await ann.saveWorkspace({ fullname: 'acme', body: { fullname: 'acme' } })
  await ann.saveProject({ fullname: 'acme.p', body: project('acme.p') })
  const body = customSource('acme.chain', { endpoints: [node.url] })
  await ann.saveCustomSource({ fullname: 'acme.chain', body })
})
beforeEach(() => {
  for (const service of ['sourcify', 'etherscan', 'blockscout'] as const) services.misbehave(service, undefined)
  services.requests.length = 0
})
afterAll(async () => {
  await house.close()
  await node.close()
  await services.close()
})

const source = 'acme.chain'
const findAbi = (contract: string) => ann.findEvmAbi({ body: { source, contract } })
const inspect = (address: string) => ann.inspectAddress({ body: { source, address } })
const word = (hex: string) => `0x${hex.replace('0x', '').padStart(64, '0')}`
const text = (value: string) => encodeAbiParameters([{ type: 'string' }], [value])
const topicOf = (signature: string) => keccak256(toBytes(signature))
const address = (name: string, indexed = false) => ({ name, type: 'address', indexed })

const sent = {
  type: 'event',
  name: 'Sent',
  inputs: [address('to', true), { name: 'amount', type: 'uint256', indexed: false }],
}
const send = {
  type: 'function',
  name: 'send',
  stateMutability: 'nonpayable',
  inputs: [
    { name: 'to', type: 'address' },
    { name: 'amount', type: 'uint256' },
  ],
  outputs: [],
}
const sum = { type: 'function', name: 'sum', stateMutability: 'view', inputs: [], outputs: [] }
const till = {
  abi: [sent, send, sum],
  name: 'Till',
  userdoc: { events: { 'Sent(address,uint256)': { notice: 'Somebody was paid.' } } },
}
const sentTopic = topicOf('Sent(address,uint256)')
const sendSelector = topicOf('send(address,uint256)').slice(0, 10)
/** A contract with the topic and the selector of `till` in its code. */
const deployTill = () => node.deploy(anyEmitter([sentTopic, sendSelector]))
const [unmarked, transferTopic] = [anyEmitter(), topicOf('Transfer(address,address,uint256)')]

describe('the ABI of a contract', () => {
  test.each(['sourcify', 'etherscan', 'blockscout'] as const)('%s knows it', async (service) => {
    const contract = await deployTill()
    services.verify(service, contract, till)
    expect(await findAbi(contract)).toEqual({ abi: till.abi, contract, source: service, name: 'Till' })
  })

  test('a second request asks no service, nor do requests at the same time', async () => {
    const contract = await deployTill()
    services.verify('etherscan', contract, till)
    await Promise.all([findAbi(contract), findAbi(contract), findAbi(contract.toUpperCase().replace('X', 'x'))])
    expect(services.requests).toEqual([`sourcify ${contract}`, `etherscan ${contract}`])
    expect(await findAbi(contract)).toMatchObject({ source: 'etherscan' })
    expect(services.requests).toHaveLength(2)
  })

  test('items that no compiler would write are left out', async () => {
    const contract = await deployTill()
    const broken = [
      { type: 'event' },
      { type: 'function', name: 'x', inputs: [{ type: 'nonsense' }] },
      { type: 'what' },
    ]
    services.verify('sourcify', contract, { ...till, abi: [...broken, sent] })
    expect(await findAbi(contract)).toMatchObject({ abi: [sent], source: 'sourcify' })
  })

  test('nothing found says what was tried, is kept for ten minutes, and is asked again after that', async () => {
    const contract = await node.deploy(unmarked)
    const { abi, error, source } = await findAbi(contract)
    expect({ abi, source }).toEqual({ abi: [], source: 'selectors' })
    expect(error).toBe(
      `No ABI was found for ${contract} on chain 31337. Sourcify has no verified source of it. Etherscan has no verified source of it. Blockscout has no verified source of it. Its code and its recent logs show no common interface. Paste its ABI, or watch all its logs and calls without one.`,
    )
    await findAbi(contract)
    expect(services.requests).toHaveLength(3)
    services.verify('blockscout', contract, till)
    house.clock.advance(10 * 60_000 + 1)
    await sweep(house.service.store, { alertsDays: 1, logsDays: 1, auditDays: 1 }, house.clock.now())
    const { rows } = await house.database.query('select from look_ups where key like $1', [`%${contract}`])
    expect(rows).toEqual([])
    expect(await findAbi(contract)).toMatchObject({ source: 'blockscout', name: 'Till' })
  })

  test('a table of look-ups that is full keeps those that expire last', async () => {
    const { lookUps } = house.service.store
    const later = (days: number) => new Date(house.clock.now().getTime() + days * 86_400_000)
    // Later than everything that other tests keep.
    for (const days of [1_000_001, 1_000_003, 1_000_002])
      await lookUps.save('ens-name', `full ${days}`, '', later(days))
    await lookUps.sweep(house.clock.now(), 2)
    const { rows } = await house.database.query('select key from look_ups order by key')
    expect(rows).toEqual([{ key: 'full 1000002' }, { key: 'full 1000003' }])
  })

  test('the code and the recent logs show what no service knows', async () => {
    const contract = await node.deploy(anyEmitter([topicOf('transfer(address,uint256)').slice(0, 10)]))
    await node.send({ to: contract, data: emission([transferTopic, word('1'), word('2')], word('5')) })
    const { abi, source, error } = await findAbi(contract)
    expect({ source, error }).toEqual({ source: 'selectors', error: undefined })
    expect(abi.map(({ type, name }) => `${type} ${name}`)).toEqual(['event Transfer', 'function transfer'])
  })

  test('through a proxy it is the ABI of the implementation; of a diamond, that of all facets', async () => {
    const [one, two] = [await deployTill(), await node.deploy(unmarked)]
    services.verify('sourcify', one, till)
    const other = { type: 'event', name: 'Other', inputs: [] }
    services.verify('blockscout', two, { abi: [other, sent], name: 'Second' })
    const slot = toHex(BigInt(topicOf('eip1967.proxy.implementation')) - 1n, { size: 32 })
    const proxy = await node.deploy(delegating(slot), { [slot]: one })
    expect(await findAbi(proxy)).toEqual({
      abi: till.abi,
      contract: proxy,
      source: 'sourcify',
      proxy: { kind: 'eip1967', implementation: one },
      name: 'Till',
    })
    const facets = encodeAbiParameters([{ type: 'address[]' }], [[one, two] as `0x${string}`[]])
    const diamond = await node.deploy(answers({ '0x52ef6b2c': facets }))
    const joined = await findAbi(diamond)
    expect(joined).toMatchObject({ proxy: { kind: 'diamond', implementations: [one, two] }, source: 'sourcify' })
    expect(joined.abi).toEqual([...till.abi, other])
  })

  const faults: [ServiceName, Misbehaviour, RegExp][] = [
    ['sourcify', 'down', /Sourcify could not be asked \(127\.0\.0\.1:\d+ closed the connection\)\./],
    ['sourcify', 'slow', /Sourcify could not be asked \(127\.0\.0\.1:\d+ did not answer within 5000 ms\)\./],
    ['sourcify', 'html', /Sourcify could not be asked \(its answer is not JSON\)\./],
    ['sourcify', 'empty', /Sourcify could not be asked \(its answer is not that of its API\)\./],
    ['sourcify', 'large', /Sourcify could not be asked \(127\.0\.0\.1:\d+ answered more than 5242880 bytes\)\./],
    ['blockscout', 'error', /Blockscout could not be asked \(it answered HTTP 500\)\./],
    ['blockscout', 'redirect', /Blockscout could not be asked \(127\.0\.0\.1:\d+ redirects to another server\)\./],
    ['etherscan', 'key refused', /Etherscan could not be asked \(it refused the API key\)\./],
  ]
  test.each(faults)('%s is %s: the others and the code still answer', async (service, how, message) => {
    services.misbehave(service, how)
    expect((await findAbi(await node.deploy(unmarked))).error).toMatch(message)
    if (how === 'slow') return
    const known = await deployTill()
    services.verify(service === 'blockscout' ? 'sourcify' : 'blockscout', known, till)
    expect(await findAbi(known)).toMatchObject({ abi: till.abi })
  })

  test('the key of Etherscan is in no answer and no log', async () => {
    const key = services.variables.ETHERSCAN_API_KEY
    services.misbehave('etherscan', 'key refused')
    expect(JSON.stringify(await findAbi(await node.deploy(unmarked)))).not.toContain(key)
    expect(house.logs.join()).not.toContain(key)
    const { rows } = await house.database.query('select value::text from look_ups')
    expect(JSON.stringify(rows)).not.toContain(key)
  })

  test.each([
    ['0x1234', 'has 4 hex digits, an address has 40. Copy the address again'],
    [topicOf('x'), /is the hash of a transaction or a block/],
    ['11111111111111111111111111111111', /is an address of another kind of chain/],
    ['0xD8dA6BF26964aF9D7eEd9e03E53415D37aA96045', /has a wrong checksum/],
    ['nonsense', 'must be an address: 0x and 40 hex digits'],
  ])('%s is refused with what to do', async (contract, message) => {
    await expect(findAbi(contract)).rejects.toMatchObject({
      code: 'invalid_payload',
      details: {
        issues: [{ path: 'contract', message: typeof message === 'string' ? message : expect.stringMatching(message) }],
      },
    })
  })

  test('an account, a source that is down and a source of another chain', async () => {
    expect(await findAbi(node.account)).toMatchObject({ abi: [], error: expect.stringContaining('it is an account') })
    const gone = `0x${'9e'.repeat(20)}`
    services.verify('sourcify', gone, till)
    expect(await findAbi(gone)).toMatchObject({ abi: till.abi, error: expect.stringContaining('it was destroyed') })
    const save = (name: string, kind: 'evm' | 'solana', url: string) =>
      ann.saveCustomSource({ fullname: name, body: customSource(name, { kind, endpoints: [url] }) })
    await save('acme.down', 'evm', 'http://127.0.0.1:9')
    await save('acme.sol', 'solana', 'http://127.0.0.1:9/sol')
    const down = await ann.findEvmAbi({ body: { source: 'acme.down', contract: node.account } })
    expect(down).toMatchObject({ abi: [], error: expect.stringMatching(/^The network could not be read: /) })
    await rejects(ann.findEvmAbi({ body: { source: 'acme.sol', contract: node.account } }), {
      code: 'invalid_payload',
    })
    await rejects(ann.findEvmAbi({ body: { source: 'acme.none', contract: node.account } }), { code: 'not_found' })
  })
})

describe('events, calls and drafts', () => {
  test('views are left out, and the documentation of the author is shown', async () => {
    const contract = await deployTill()
    services.verify('sourcify', contract, till)
    expect(await ann.importEvm({ body: { project: 'acme.p', source, contract } })).toEqual({
      events: [
        {
          signature: 'Sent(address,uint256)',
          name: 'Sent',
          inputs: sent.inputs,
          documentation: 'Somebody was paid.',
        },
      ],
      calls: [{ signature: 'send(address,uint256)', name: 'send', inputs: send.inputs }],
    })
  })

  test('each draft is valid, unsaved and can be saved and tested', async () => {
    const contract = await deployTill()
    services.verify('sourcify', contract, till)
    const body = { project: 'acme.p', source, contract, category: 'treasury' }
    const { abiSource, drafts, error } = await ann.importEvmDrafts({ body })
    expect({ abiSource, error }).toEqual({ abiSource: 'auto', error: undefined })
    const [event, call] = drafts
    expect(drafts).toHaveLength(2)
    expect(event).toMatchObject({
      fullname: 'acme.p.Till.Sent',
      meta: { title: 'Till: Sent', description: 'Somebody was paid.' },
      tags: ['treasury'],
      draft: { exists: false },
      triggerSpec: { type: 'evm_log', dataSource: source, contract, event: 'Sent(address,uint256)', abiFragment: sent },
    })
    expect(call).toMatchObject({
      fullname: 'acme.p.Till.send',
      triggerSpec: { type: 'evm_call', contract, method: 'send(address,uint256)', abiFragment: send },
    })
    for (const draft of drafts) {
      const validated = await ann.validateTriggerDraft({ fullname: draft.fullname, body: draft })
      expect(validated).toMatchObject({ valid: true, issues: [] })
    }
    await rejects(ann.getTriggerDraft({ fullname: 'acme.p.Till.Sent' }), { code: 'not_found' })
    const hash = await node.send({ to: contract, data: emission([sentTopic, word('aa')], word('ff')) })
    const { triggerSpec = null, providers = [], transform = null, outputSchema = null } = event ?? {}
    const tested = await ann.testTrigger({
      body: { triggerSpec, providers, transform, outputSchema, test: { transactionHash: hash } },
    })
    expect(tested).toMatchObject({ valid: true, output: { raw: { event: 'Sent', params: { amount: '255' } } } })
  })

  test('amounts of a token are filtered and shown in whole tokens', async () => {
    const token = await node.deploy(answers({ '0x95d89b41': text('TST'), '0x313ce567': word('6') }))
    const abi = [
      'event Transfer(address indexed src, address indexed dst, uint256 wad)',
      'function mint(address, uint256)',
    ]
    const { drafts } = await ann.importEvmDrafts({ body: { project: 'acme.p', source, contract: token, abi } })
    expect(drafts).toMatchObject([
      {
        filtersSchema: { wad: { type: { type: 'balance', decimals: 6 }, sourcePath: 'params.wad' } },
        defaults: {
          short: expect.stringMatching(
            /^{{token raw.params.wad}} moved from {{address raw.params.src}} to {{address raw.params.dst}}/,
          ),
        },
      },
      { filtersSchema: { arg1: { type: { type: 'balance', decimals: 6 }, sourcePath: 'args.1' } } },
    ])
  })

  test('messages name the contract and its roles, once somebody has looked it up', async () => {
    const contract = await deployTill()
    services.verify('sourcify', contract, { ...till, name: 'Honey Vault' })
    const role = topicOf('BEEKEEPER_ROLE')
    const shown = async () => {
      const defaults = { title: '{{name raw.role}} at {{address raw.contract}}' }
      const output = { raw: { role, contract }, human: {} }
      const place = { input: {}, trigger: 'acme.p.t', title: 'T', triggerSpec: { type: 'evm_log', dataSource: source } }
      return (await ann.previewMessage({ body: { defaults, output, ...place } as never })).message?.title
    }
    expect(await shown()).toMatch(/^0x\w{4}…\w{4} at 0x\w{4}…\w{4}$/)
    const abi = ['function BEEKEEPER_ROLE() view returns (bytes32)', 'event Sent(address to)']
    await ann.importEvm({ body: { project: 'acme.p', source, contract, abi } })
    await findAbi(contract)
    expect(await shown()).toBe('BEEKEEPER_ROLE at Honey Vault')
  })

  test('a name that the project has gets a number, and switches leave out parts', async () => {
    const contract = await deployTill()
    services.verify('sourcify', contract, { ...till, name: 'Same Name!' })
    const body = { project: 'acme.p', source, contract, includeCalls: false }
    const [first] = (await ann.importEvmDrafts({ body })).drafts
    expect(first?.fullname).toBe('acme.p.Same-Name.Sent')
    await ann.saveTriggerDraft({ fullname: first?.fullname ?? '', body: first as never })
    const again = await ann.importEvmDrafts({ body: { ...body, useAsFilter: false } })
    expect(again.drafts.map(({ fullname }) => fullname)).toEqual(['acme.p.Same-Name.Sent-2'])
    expect(again.drafts[0]?.triggerSpec).not.toHaveProperty('contract')
    const calls = await ann.importEvmDrafts({ body: { ...body, includeCalls: true, includeEvents: false } })
    expect(calls.drafts.map(({ triggerSpec }) => triggerSpec?.type)).toEqual(['evm_call'])
  })

  test('an ABI of thousands of items makes the first 500 drafts, and the answer says so', async () => {
    const abi = Array.from({ length: 2_500 }, (_, at) => [
      { type: 'event', name: `E${at}`, inputs: [{ name: 'amount', type: 'uint256' }] },
      { type: 'function', name: `f${at}`, inputs: [] },
    ]).flat()
    const made = await ann.importEvmDrafts({ body: { project: 'acme.p', source, abi } })
    expect(made.drafts).toHaveLength(500)
    expect(made.error).toBe('Only the first 500 of 5000 are here. Choose fewer.')
    const body = { project: 'acme.p', source, abi: [...abi, { type: 'function', name: 'one', inputs: [] }] }
    await rejects(ann.importEvmDrafts({ body }), { code: 'invalid_payload' })
  })

  test('a given ABI needs no look-up; one that does not fit the code is told', async () => {
    const body = { project: 'acme.p', source, abi: ['event Sent(address indexed to, uint256 amount)'] }
    const alone = await ann.importEvmDrafts({ body })
    expect(alone).toMatchObject({ abiSource: 'provided', drafts: [{ name: 'Sent' }] })
    const fitting = await ann.importEvmDrafts({ body: { ...body, contract: await deployTill() } })
    expect(fitting.error).toBeUndefined()
    const wrong = await ann.importEvmDrafts({ body: { ...body, contract: await node.deploy(unmarked) } })
    expect(wrong).toMatchObject({
      drafts: [{}],
      error: expect.stringContaining('Nothing of this ABI occurs in the code'),
    })
    expect(services.requests).toEqual([])
    await rejects(ann.importEvm({ body: { ...body, abi: 'event Sent(' } }), { code: 'invalid_payload' })
    await rejects(ann.importEvm({ body: { project: 'acme.p', source } }), { code: 'invalid_payload' })
    await rejects(ann.importEvm({ body: { ...body, project: 'acme.none' } }), { code: 'not_found' })
  })

  test('nothing found gives no drafts and says why', async () => {
    const contract = await node.deploy(unmarked)
    const made = await ann.importEvmDrafts({ body: { project: 'acme.p', source, contract } })
    expect(made).toEqual({ abiSource: 'auto', drafts: [], error: expect.stringContaining('No ABI was found') })
  })
})

describe('what an address is', () => {
  const answering = (views: Record<string, string>) => node.deploy(answers(views))
  const selectorOf = (signature: string) => topicOf(signature).slice(0, 10)
  const tokenViews = { '0x06fdde03': text('Test Token'), '0x95d89b41': text('TST'), '0x313ce567': word('6') }

  test('tokens, collections, multi-tokens, vaults and multisigs', async () => {
    const token = { name: 'Test Token', symbol: 'TST', decimals: 6, standard: 'erc20' }
    expect(await inspect(await answering(tokenViews))).toMatchObject({ kind: 'token', token, abiSource: 'selectors' })
    const vault = { ...tokenViews, [selectorOf('asset()')]: word('1'), [selectorOf('totalAssets()')]: word('1') }
    expect(await inspect(await answering(vault))).toMatchObject({ kind: 'vault', token })
    const multisig = { [selectorOf('getOwners()')]: word('1'), [selectorOf('getThreshold()')]: word('1') }
    expect(await inspect(await answering(multisig))).toMatchObject({ kind: 'multisig' })
    expect(await inspect(await node.deploy(erc721))).toMatchObject({ kind: 'nft', token: { standard: 'erc721' } })
    // It says yes to every question of ERC-165, and the question for ERC-1155 comes first.
    const multiToken = await answering({ '0x01ffc9a7': word('1') })
    expect(await inspect(multiToken)).toMatchObject({ kind: 'multi-token', token: { standard: 'erc1155' } })
  })

  const words = (...values: string[]) => `0x${values.map((value) => word(value).slice(2)).join('')}`
  const anAddress = word('5a'.repeat(20))
  const viewsOf = (views: Record<string, string>) =>
    Object.fromEntries(Object.entries(views).map(([signature, bytes]) => [selectorOf(signature), bytes]))
  const round = words('1', '2', '3', '4', '5')
  const userOp = '(address,uint256,bytes,bytes,bytes32,uint256,bytes32,bytes,bytes)'

  test.each([
    ['oracle', { 'latestRoundData()': round, 'decimals()': word('8'), 'description()': text('ETH / USD') }],
    ['timelock', { 'getMinDelay()': word('60') }],
    ['timelock', { 'delay()': word('60'), 'GRACE_PERIOD()': word('60') }],
    ['governor', { 'votingDelay()': word('1'), 'votingPeriod()': word('5'), 'name()': text('Governor') }],
    ['access-manager', { 'expiration()': word('60'), 'minSetback()': word('5') }],
    [
      'pool',
      { 'token0()': anAddress, 'token1()': anAddress, 'getReserves()': words('1', '2', '3'), 'decimals()': word('12') },
    ],
    ['pool', { 'token0()': anAddress, 'token1()': anAddress, 'slot0()': words('1', '2', '3', '4', '5', '6', '7') }],
    ['smart-account', { 'entryPoint()': anAddress, [`validateUserOp(${userOp},bytes32,uint256)`]: word('0') }],
    ['contract', { 'entryPoint()': anAddress }],
  ])('a contract of the kind %s is known by its views, also behind a proxy', async (kind, views) => {
    const contract = await answering(viewsOf(views))
    const slot = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc'
    const proxy = await node.deploy(delegating(slot), { [slot]: contract })
    const direct = await inspect(contract)
    expect(direct).toMatchObject({ kind })
    if (kind === 'contract') return
    const behind = await inspect(proxy)
    expect(behind).toMatchObject({ kind, proxy: { kind: 'eip1967', implementation: contract.toLowerCase() } })
    // An aggregator has decimals and is no token.
    if (kind === 'oracle') expect([direct.token, behind.token]).toEqual([undefined, undefined])
  })

  test('a vault behind a proxy is a vault, also if its code shows no function', async () => {
    const views = { ...tokenViews, ...viewsOf({ 'asset()': anAddress, 'totalAssets()': word('7') }) }
    const slot = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc'
    const proxy = await node.deploy(delegating(slot), { [slot]: await answering(views) })
    expect(await inspect(proxy)).toMatchObject({ kind: 'vault', token: { symbol: 'TST' }, proxy: { kind: 'eip1967' } })
  })

  test('a contract that answers every call has no kind by its views', async () => {
    expect(await inspect(await node.deploy(answer(word('1'))))).not.toMatchObject({ kind: 'timelock' })
  })

  test('topics that a small build has as data, and not in an instruction, show its events', async () => {
    const topics = ['CallScheduled(bytes32,uint256,address,uint256,bytes,bytes32,uint256)', 'CallSalt(bytes32,bytes32)']
    const code = `${answers(viewsOf({ 'getMinDelay()': word('60') }))}fe${topics.map((each) => topicOf(each).slice(2)).join('')}`
    const { kind, events } = await inspect(await node.deploy(code))
    expect([kind, events.map(({ name }) => name).toSorted()]).toEqual(['timelock', ['CallSalt', 'CallScheduled']])
  })

  test('a Safe for L2 offers what it executes', async () => {
    const signature =
      'SafeMultiSigTransaction(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes,bytes)'
    const views = viewsOf({ 'getOwners()': word('1'), 'getThreshold()': word('1') })
    const execute = 'execTransaction(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes)'
    const code = `${answers({ ...views, [selectorOf(execute)]: word('1') })}7f${topicOf(signature).slice(2)}`
    const { kind, events, calls } = await inspect(await node.deploy(code))
    expect([kind, events.map(({ name }) => name), calls.map(({ name }) => name)]).toEqual([
      'multisig',
      ['SafeMultiSigTransaction'],
      ['execTransaction'],
    ])
  })

  test('a probe that the node answers with any error of its own does not stop the look-up', async () => {
    const contract = await deployTill()
    services.verify('sourcify', contract, till)
    const errors = [
      { code: -32603, message: 'EVM error InvalidOperandOOG' },
      { code: -32000, message: 'execution aborted: precompile is not enabled' },
      { code: -32015, message: 'VM execution error.', data: 'Bad instruction fe' },
    ]
    for (const [index, error] of errors.entries()) {
      const odd = await faultyEndpoint(node.url, ({ method }) => (method === 'eth_call' ? { error } : undefined))
      const fullname = `acme.odd-${index}`
      await ann.saveCustomSource({ fullname, body: customSource(fullname, { endpoints: [odd.url] }) })
      expect(await ann.inspectAddress({ body: { source: fullname, address: contract } })).toMatchObject({
        kind: 'contract',
        name: 'Till',
        abiSource: 'sourcify',
      })
      expect(await ann.findEvmAbi({ body: { source: fullname, contract } })).toMatchObject({ source: 'sourcify' })
      await odd.close()
    }
  })

  test('a node that limits the calls is a failure, and not the answer that the contract is none', async () => {
    const contract = await deployTill()
    const busy = await faultyEndpoint(node.url, ({ method }) =>
      method === 'eth_call' ? { error: { code: -32005, message: 'rate limit exceeded' } } : undefined,
    )
    const body = customSource('acme.busy', { endpoints: [busy.url] })
    await ann.saveCustomSource({ fullname: 'acme.busy', body })
    const { kind, error } = await ann.inspectAddress({ body: { source: 'acme.busy', address: contract } })
    expect({ kind, error }).toEqual({
      kind: 'contract',
      error: expect.stringMatching(/^The network could not be read: .*rate limit exceeded/),
    })
    await busy.close()
  })

  test('an endpoint that gives few blocks at a time: fewer blocks are counted, and the answer says so', async () => {
    const contract = await deployTill()
    await node.send({ to: contract, data: emission([sentTopic, word('aa')], word('1')) })
    await node.request('hardhat_mine', ['0x64'])
    await node.send({ to: contract, data: emission([sentTopic, word('aa')], word('2')) })
    const picky = await faultyEndpoint(node.url, ({ method, params: [range] }) => {
      const { fromBlock, toBlock } = (range ?? {}) as { fromBlock: string; toBlock: string }
      const isLong = method === 'eth_getLogs' && Number(toBlock) - Number(fromBlock) >= 5
      return isLong ? { error: { code: -32005, message: 'query exceeds max block range 5' } } : undefined
    })
    const body = customSource('acme.picky', { endpoints: [picky.url] })
    await ann.saveCustomSource({ fullname: 'acme.picky', body })
    services.verify('sourcify', contract, till)
    const { looked, events } = await ann.inspectAddress({ body: { source: 'acme.picky', address: contract } })
    expect(looked).toMatchObject({ reason: 'the endpoint gives few blocks at a time' })
    expect(Number(looked?.toBlock) - Number(looked?.fromBlock)).toBeLessThan(50)
    expect(events).toMatchObject([{ name: 'Sent', count: 1, latest: { params: { amount: '2' } } }])
    await picky.close()
  })

  test('a contract with its events and calls, counted, the latest of each decoded', async () => {
    const contract = await deployTill()
    services.verify('sourcify', contract, till)
    for (const amount of ['01', '02']) {
      await node.send({ to: contract, data: emission([sentTopic, word('aa')], word(amount)) })
    }
    const hash = await node.send({ to: contract, data: `${sendSelector}${word('bb').slice(2)}${word('03').slice(2)}` })
    await node.send({ to: contract, data: emission([topicOf('Paused(address)')], word('cc')) })
    const block = Number(await node.request('eth_blockNumber'))
    const { events, calls, ...rest } = await inspect(contract)
    expect(rest).toEqual({
      source,
      address: contract,
      name: 'Till',
      kind: 'contract',
      abiSource: 'sourcify',
      looked: { fromBlock: 0, toBlock: block, callsFromBlock: Math.max(0, block - 15) },
    })
    expect(events).toMatchObject([
      {
        name: 'Sent',
        count: 2,
        fragment: sent,
        documentation: 'Somebody was paid.',
        latest: { params: { amount: '2' } },
      },
      { name: 'Paused', count: 1, latest: { block, params: { account: `0x${'0'.repeat(38)}cc` } } },
    ])
    expect(calls).toMatchObject([
      { name: 'send', count: 1, latest: { transaction: hash, time: expect.any(String), params: { amount: '3' } } },
    ])
  })

  test('an account has a balance and no events; a destroyed contract is told', async () => {
    const account = `0x${'e1'.repeat(20)}`
    await node.send({ to: account, value: '0x64' })
    expect(await inspect(account)).toMatchObject({ kind: 'account', balance: '100', events: [], calls: [] })
    expect(services.requests).toEqual([])
    const hash = await node.send({ data: destroyed })
    const { contractAddress } = (await node.request('eth_getTransactionReceipt', [hash])) as { contractAddress: string }
    expect(await inspect(contractAddress)).toMatchObject({
      kind: 'account',
      error: expect.stringContaining('was destroyed'),
    })
  })
})

describe('names', () => {
  const registry = '0x00000000000c2e074ec69a0dfb2997ba6c7d2e1e'
  const owner = `0x${'d1'.repeat(20)}`
  const namesOf = (...addresses: string[]) => ann.findAddressNames({ body: { source, addresses } })

  /** A registry with one resolver, which answers every name and address alike. */
  async function setEns(name: string, resolved: string): Promise<void> {
    const resolver = await node.deploy(answers({ '0x691f3431': text(name), '0x3b3b57de': word(resolved) }))
    await node.request('hardhat_setCode', [registry, `0x${answers({ '0x0178b8bf': word(resolver) })}`])
  }

  test('an ENS name counts if it resolves back to the address, in normal form; answers are kept', async () => {
    await rejects(inspect('ann.eth'), { code: 'invalid_payload' })
    await setEns('ann.eth', owner)
    expect(await namesOf(owner)).toEqual([{ address: owner, name: 'ann.eth', from: 'ens' }])
    expect(await inspect('ann.eth')).toMatchObject({ address: owner, ensName: 'ann.eth', kind: 'account' })
    // Every address claims the name, which belongs to one.
    expect(await namesOf(`0x${'d2'.repeat(20)}`)).toEqual([])
    await setEns('Ann.eth', `0x${'d3'.repeat(20)}`)
    expect(await namesOf(`0x${'d3'.repeat(20)}`, owner)).toEqual([{ address: owner, name: 'ann.eth', from: 'ens' }])
    house.clock.advance(24 * 3_600_000 + 1)
    expect(await namesOf(owner)).toEqual([])
    await node.request('hardhat_setCode', [registry, '0x'])
  })

  test('the address book comes first, then contracts that were looked up; a text that is no address has no name', async () => {
    const [contract, mine] = [await deployTill(), `0x${'d4'.repeat(20)}`]
    services.verify('sourcify', contract, till)
    await findAbi(contract)
    await ann.createAddress({ body: { type: 'evm', address: mine, alias: 'Savings' } })
    expect(await namesOf(mine, contract, 'nonsense', `0x${'d5'.repeat(20)}`)).toEqual([
      { address: mine, name: 'Savings', from: 'address-book' },
      { address: contract, name: 'Till', from: 'contract' },
    ])
    const bob = await house.person('bob')
    await rejects(bob.findAddressNames({ body: { source, addresses: [mine] } }), { code: 'not_found' })
  })

  test('a source that is down gives the names that are known', async () => {
    const mine = `0x${'d6'.repeat(20)}`
    await ann.createAddress({ body: { type: 'evm', address: mine, alias: 'Spare' } })
    const body = { source: 'acme.down', addresses: [mine, owner] }
    expect(await ann.findAddressNames({ body })).toEqual([{ address: mine, name: 'Spare', from: 'address-book' }])
  })
})
