import { encodeAbiParameters, keccak256, toBytes, toHex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectedEvm } from '../../../../../../tests/nodes/connected-evm.ts'
import { answers, clone, counter, delegating } from '../../../../../../tests/nodes/evm-contracts.ts'
import { chainReads } from './chain-reads.ts'
import { followProxies } from './follow-proxies.ts'

/** Proxies of all kinds, deployed on a real chain. Each delegates to the same counter. */

let evm: Awaited<ReturnType<typeof connectedEvm>>
let implementation: string
beforeAll(async () => {
  evm = await connectedEvm()
  implementation = await evm.node.deploy(counter)
})
afterAll(() => evm.close())

const hash = (name: string) => keccak256(toBytes(name))
const minusOne = (word: string) => toHex(BigInt(word) - 1n, { size: 32 })
const slots = {
  logic: minusOne(hash('eip1967.proxy.implementation')),
  beacon: minusOne(hash('eip1967.proxy.beacon')),
  proxiable: hash('PROXIABLE'),
  zeppelin: hash('org.zeppelinos.proxy.implementation'),
}
const follow = (address: string) => followProxies(chainReads(evm.connection.request), address)
const proxyAt = (slot: string, target = implementation) => evm.node.deploy(delegating(slot), { [slot]: target })

test.each([
  ['logic', 'eip1967'],
  ['zeppelin', 'eip1967'],
  ['proxiable', 'eip1822'],
] as const)('the slot of %s', async (name, kind) => {
  const proxy = await proxyAt(slots[name])
  await evm.node.send({ to: proxy })
  expect(await evm.node.request('eth_call', [{ to: proxy, data: '0x01' }, 'latest'])).toMatch(/1$/)
  expect(await follow(proxy)).toMatchObject({ proxyKind: kind, targets: [implementation] })
})

test('a beacon', async () => {
  const word = encodeAbiParameters([{ type: 'address' }], [implementation as `0x${string}`])
  const beacon = await evm.node.deploy(answers({ '0x5c60da1b': word }))
  const proxy = await evm.node.deploy(delegating(slots.beacon), { [slots.beacon]: beacon })
  expect(await follow(proxy)).toMatchObject({ proxyKind: 'eip1967-beacon', targets: [implementation] })
})

test('a minimal proxy, also with an address that has leading zeros', async () => {
  const proxy = await evm.node.deploy(clone(implementation))
  expect(await evm.node.request('eth_call', [{ to: proxy, data: '0x01' }, 'latest'])).toMatch(/^0x0+$/)
  expect(await follow(proxy)).toMatchObject({ proxyKind: 'eip1167', targets: [implementation] })
  const short = `0x${'00'.repeat(4)}${'ab'.repeat(16)}`
  expect(await follow(await evm.node.deploy(clone(short, 16)))).toMatchObject({
    proxyKind: 'eip1167',
    targets: [short],
  })
})

test('a Safe: the implementation is in the first slot', async () => {
  const slot = toHex(0n, { size: 32 })
  const plain = await evm.node.deploy(delegating(slot), { [slot]: implementation })
  expect(await follow(plain)).toMatchObject({ proxyKind: 'safe', targets: [implementation] })
  // As in the proxies of Safe, which compare the input with the selector of masterCopy().
  const comparing = `7fa619486e${'00'.repeat(28)}50`.repeat(8)
  const safe = await evm.node.deploy(delegating(slot, comparing), { [slot]: implementation })
  expect(await follow(safe)).toMatchObject({ proxyKind: 'safe', targets: [implementation] })
})

test('a diamond, by either of its views', async () => {
  const other = await evm.node.deploy(counter)
  const facets = [implementation, other] as `0x${string}`[]
  const components = [{ type: 'address' }, { type: 'bytes4[]' }]
  const listed = encodeAbiParameters(
    [{ type: 'tuple[]', components }],
    [facets.map((facet) => [facet, ['0x12345678', '0x9abcdef0']])],
  )
  const diamond = await evm.node.deploy(answers({ '0x7a0ed627': listed }))
  expect(await follow(diamond)).toMatchObject({ proxyKind: 'diamond', targets: facets })
  const addresses = encodeAbiParameters([{ type: 'address[]' }], [facets])
  const older = await evm.node.deploy(answers({ '0x52ef6b2c': addresses }))
  expect(await follow(older)).toMatchObject({ proxyKind: 'diamond', targets: facets })
})

test('a proxy of a proxy leads to the last implementation, and a circle ends', async () => {
  const outer = await proxyAt(slots.logic, await proxyAt(slots.proxiable))
  expect(await follow(outer)).toMatchObject({ proxyKind: 'eip1967', targets: [implementation] })
  const circle = await evm.node.deploy(delegating(slots.logic))
  await evm.node.request('hardhat_setStorageAt', [circle, slots.logic, toHex(BigInt(circle), { size: 32 })])
  expect(await follow(circle)).toMatchObject({ proxyKind: 'eip1967', targets: [circle] })
})

test('a plain contract and an account are no proxies', async () => {
  expect(await follow(implementation)).toEqual({ code: `0x${counter}`, targets: [implementation] })
  expect(await follow(evm.node.account)).toEqual({ code: '0x', targets: [evm.node.account] })
})
