import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BodyInput, Routes } from '@tocsin/contract'
import {
  encodeFunctionData,
  type Hex,
  pad,
  parseAbi,
  stringToHex,
  toEventSelector,
  toFunctionSelector,
  toHex,
} from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { until } from './harness/following.ts'
import { customSource, type Harness, harness, type Person } from './harness/index.ts'
import { type EvmNode, startEvmNode } from './nodes/evm.ts'
import { answer, emitter, values } from './nodes/evm-contracts.ts'

/** Every monitor of `examples/` alerts on a real node about what it watches. */
const folder = join(import.meta.dirname, '../examples')
const names = readdirSync(join(folder, 'triggers')).map((file) => file.replace('.json', ''))
const ann = `0x${'a1'.repeat(20)}` as const
const ether = 10n ** 18n

let house: Harness
let owner: Person
let node: EvmNode
/** `contract` answers every function with the values that a test sets. */
let contract: Hex
let reverting: Hex
let safe: Hex
let logs: Hex
let factory: Hex
let pair: Hex

beforeAll(async () => {
  ;[house, node] = await Promise.all([harness({ ROLE: 'all', ALLOW_PRIVATE_NETWORKS: 'on' }), startEvmNode()])
  // Each block is at least a second after the one before. Those of the set-up must be older than the subscriptions.
  await node.request('evm_setNextBlockTimestamp', [Math.floor(house.clock.now().getTime() / 1000) - 40])
  const deploy = async (runtime: string) => (await node.deploy(runtime)) as Hex
  contract = await deploy(values)
  reverting = await deploy(answer('0x', 'REVERT'))
  safe = await deploy(emitter(2))
  logs = await deploy(emitter(3))
  factory = await deploy(emitter(3))
  pair = await deploy(emitter(3))
  await setFirstValues()
  owner = await house.person('ann')
  await owner.saveWorkspace({ fullname: 'examples', body: { fullname: 'examples' } })
  const source = customSource('examples.node', { endpoints: [node.url] })
  await owner.saveCustomSource({ fullname: 'examples.node', body: source })
  await owner.saveProject({ fullname: 'examples.monitors', body: read('projects', 'monitors') })
  for (const name of names) await install(name)
  await until(
    () => owner.getCustomSource({ fullname: 'examples.node' }),
    ({ status, runtime }) => status.status === 'running' && runtime?.processedBlock !== undefined,
  )
})
afterAll(async () => {
  await house.close()
  await node.close()
})

function read<T>(kind: string, name: string): T {
  return JSON.parse(readFileSync(join(folder, kind, `${name}.json`), 'utf8'))
}

/** Saves a monitor as it is, but on the node and the contracts of this test. */
async function install(name: string): Promise<void> {
  const here = <T>(record: T): T =>
    JSON.parse(
      JSON.stringify(record)
        .replaceAll('common.ethereum', 'examples.node')
        .replaceAll('0x5f18C75AbDAe578b483E5F43f12a39cF75b973a9', contract)
        .replaceAll('0x849D52316331967b6fF1198e5E32A0eB168D039d', safe)
        .replaceAll('0x5C69bEe701ef814a2B6a3EDD4B1652CB9cc5aA6f', factory),
    )
  const trigger = here(read<BodyInput<Routes['saveTrigger']>>('triggers', name))
  await owner.saveTrigger({ fullname: trigger.fullname, body: trigger })
  await owner.createSubscription({ body: here(read<BodyInput<Routes['createSubscription']>>('subscriptions', name)) })
}

/** An address as messages show it. */
const short = (address: string) => `${address.slice(0, 6)}…${address.slice(-4)}`
const word = (value: bigint | number): Hex => pad(toHex(value))
const text = (value: string): Hex[] => [word(32), word(value.length), pad(stringToHex(value), { dir: 'right' })]

/** Sets what the contract answers to a function. */
async function set(signature: string, ...words: Hex[]): Promise<void> {
  const slot = BigInt(toFunctionSelector(signature))
  for (const [at, value] of words.entries()) await send(contract, word(slot + BigInt(at)), value)
}

async function send(to: Hex, ...words: Hex[]): Promise<void> {
  await node.send({ to, data: `0x${words.map((each) => each.slice(2)).join('')}` })
}

async function setFirstValues(): Promise<void> {
  await node.request('hardhat_setBalance', [contract, toHex(500n * ether)])
  await set('pricePerShare()', word(2n * ether))
  await set('totalAssets()', word(1_000n * ether))
  await set('totalSupplyAssets()', word(1_000))
  await set('totalBorrowAssets()', word(500))
  await set('totalSupply()', word(1_000n * ether))
  await set('decimals()', word(18))
  await set('symbol()', ...text('TKN'))
  await set('name()', ...text('Token'))
  await answerPrice()
}

async function answerPrice(): Promise<void> {
  const { timestamp } = (await node.request('eth_getBlockByNumber', ['latest', false])) as { timestamp: Hex }
  const at = word(BigInt(timestamp))
  await set('latestRoundData()', word(7), word(2_000n * ether), at, at, word(7))
}

/** Mines the next block at which monitors read values. */
async function tick(afterSeconds = 60): Promise<void> {
  await node.request('evm_increaseTime', [afterSeconds])
  const number = Number(await node.request('eth_blockNumber'))
  await node.request('hardhat_mine', [toHex(5 - (number % 5)), '0x1'])
}

/** The alerts of a monitor, oldest first, once there are enough. */
async function alerts(name: string, least: number) {
  const found = await until(
    () => owner.listAlerts({ query: { trigger: `examples.monitors.${name}` } }),
    (alerts) => alerts.length >= least,
  )
  return found.toReversed()
}

test('the price per share falls', async () => {
  await tick()
  await set('pricePerShare()', word(3n * ether))
  await tick()
  await set('pricePerShare()', word(ether))
  await tick()
  const found = await alerts('price-per-share', 1)
  expect(found).toMatchObject([
    { severity: 'critical', state: null, message: { short: `One share of ${short(contract)} is worth 1` } },
  ])
})

test('the total value changes by 15 % within three hours', async () => {
  await set('totalAssets()', word(900n * ether))
  await tick(3_600)
  await set('totalAssets()', word(840n * ether))
  await tick(3_600)
  expect(await alerts('total-value', 1)).toMatchObject([
    { severity: 'warning', message: { short: `${short(contract)} now holds 840` } },
  ])
})

test('utilisation stays over 99 % for ten minutes and resolves below 98 %', async () => {
  await set('totalBorrowAssets()', word(995))
  await tick()
  await tick(300)
  await tick(360)
  const [firing] = await alerts('utilisation', 1)
  expect(firing).toMatchObject({ state: 'firing', message: { short: `99.5 % of ${short(contract)} is borrowed` } })
  await set('totalBorrowAssets()', word(985))
  await tick()
  await set('totalBorrowAssets()', word(900))
  await tick()
  const message = { short: `90 % of ${short(contract)} is borrowed` }
  const resolved = { state: 'resolved', resolves: firing?.id, message }
  expect(await alerts('utilisation', 2)).toMatchObject([{ id: firing?.id }, resolved])
})

test('a multisig gets another owner', async () => {
  await send(safe, toEventSelector('AddedOwner(address)'), pad(ann))
  const message = { short: `AddedOwner of Safe ${short(safe)}` }
  expect(await alerts('multisig-owners', 1)).toMatchObject([{ severity: 'critical', message }])
})

test('a timelock schedules an operation: the call and the event', async () => {
  const abi = parseAbi(['function schedule(address, uint256, bytes, bytes32, bytes32, uint256)'])
  const args = [ann, 0n, '0x1234', word(0), word(1), 172_800n] as const
  await node.send({ to: contract, data: encodeFunctionData({ abi, args }) })
  const called = `${short(node.account)} schedules a call of ${short(ann)} in 172800 seconds`
  expect(await alerts('timelock-call', 1)).toMatchObject([{ message: { short: called } }])
  const topic = toEventSelector('CallScheduled(bytes32,uint256,address,uint256,bytes,bytes32,uint256)')
  const data = [pad(ann), word(0), word(160), word(0), word(172_800), word(0)]
  await send(logs, topic, word(1), word(0), ...data)
  const scheduled = `${short(logs)} scheduled a call of ${short(ann)} in 172800 seconds`
  expect(await alerts('timelock-event', 1)).toMatchObject([{ message: { short: scheduled } }])
})

test('a large mint, and no transfer or small mint', async () => {
  const transfer = toEventSelector('Transfer(address,address,uint256)')
  await send(contract, transfer, pad(ann), pad(ann), word(500n * ether))
  await send(contract, transfer, word(0), pad(ann), word(ether))
  await send(contract, transfer, word(0), pad(ann), word(100n * ether))
  const message = { short: '100 TKN minted: 10 % of the supply' }
  expect(await alerts('large-mint', 1)).toMatchObject([{ message }])
})

test('an oracle is stale, until it answers again', async () => {
  await tick(7_200)
  const [firing] = await alerts('oracle-stale', 1)
  expect(firing).toMatchObject({ state: 'firing', severity: 'critical' })
  await answerPrice()
  await tick()
  const [, resolved] = await alerts('oracle-stale', 2)
  expect(resolved).toMatchObject({ state: 'resolved', resolves: firing?.id })
})

test('the balance of a bridge is under its bound', async () => {
  await node.request('hardhat_setBalance', [contract, toHex(99n * ether)])
  await tick()
  const [firing] = await alerts('bridge-balance', 1)
  expect(firing).toMatchObject({ state: 'firing', message: { short: `${short(contract)} holds 99` } })
})

test('more than five calls fail within ten minutes', async () => {
  for (let call = 0; call < 5; call += 1) await node.send({ to: reverting, data: '0x12345678' })
  await tick(1)
  expect(await alerts('failed-calls', 0)).toEqual([])
  await node.send({ to: reverting, data: '0x12345678' })
  expect(await alerts('failed-calls', 1)).toMatchObject([{ state: 'firing', message: { title: 'Many failed calls' } }])
})

test('a contract is paused', async () => {
  await node.send({ to: contract, data: toFunctionSelector('pause()') })
  expect(await alerts('pause', 1)).toMatchObject([
    { severity: 'critical', message: { short: `${short(node.account)} paused ${short(contract)}` } },
  ])
})

test('a factory creates a pair, and its first swap comes', async () => {
  const swap = toEventSelector('Swap(address,uint256,uint256,uint256,uint256,address)')
  const amounts = [word(1), word(0), word(0), word(2)]
  await send(pair, swap, pad(ann), pad(ann), ...amounts)
  await send(
    factory,
    toEventSelector('PairCreated(address,address,address,uint256)'),
    pad(ann),
    pad(ann),
    pad(pair),
    word(1),
  )
  await send(pair, swap, pad(ann), pad(ann), ...amounts)
  await send(pair, swap, pad(ann), pad(ann), ...amounts)
  await tick()
  expect(await alerts('first-swap', 1)).toMatchObject([{ message: { short: `First swap of pair ${short(pair)}` } }])
})

test('no block comes for a minute, and then one comes', async () => {
  const before = await alerts('no-block', 0)
  await node.request('evm_increaseTime', [120])
  await node.request('evm_mine')
  const [firing, resolved] = (await alerts('no-block', before.length + 2)).slice(-2)
  expect(firing).toMatchObject({ state: 'firing', severity: 'critical', message: { short: 'No block for 1m' } })
  expect(resolved).toMatchObject({ state: 'resolved', resolves: firing?.id })
})
