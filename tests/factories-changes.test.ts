import { keccak256 } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { follow, query, until } from './harness/following.ts'
import { customSource, type Harness, harness, type Person, project, subscription, trigger } from './harness/index.ts'
import { type EvmNode, startEvmNode } from './nodes/evm.ts'
import { emitter } from './nodes/evm-contracts.ts'

let house: Harness
let ann: Person
let node: EvmNode

beforeAll(async () => {
  house = await harness({ ALLOW_PRIVATE_NETWORKS: 'on' })
  ann = await house.person('ann')
  await ann.saveWorkspace({ fullname: 'acme', body: { fullname: 'acme' } })
  await ann.saveProject({ fullname: 'acme.p', body: project('acme.p') })
  node = await startEvmNode()
  await ann.saveCustomSource({ fullname: 'acme.evm', body: customSource('acme.evm', { endpoints: [node.url] }) })
})
afterAll(async () => {
  await house.close()
  await node.close()
})

const pairAbi = 'event PairCreated(address indexed token, address pair)'
const abiFragment = 'event Transfer(address indexed from, address indexed to, uint256 value)'

async function listen(name: string, factory: { contract: string; fromBlock: number }): Promise<void> {
  const contract = { factory: { ...factory, event: 'PairCreated', abiFragment: pairAbi, parameter: 'pair' } }
  const triggerSpec = { type: 'evm_log', dataSource: 'acme.evm', abiFragment, contract } as const
  await ann.saveTrigger({ fullname: `acme.p.${name}`, body: trigger(`acme.p.${name}`, { triggerSpec }) })
  await ann.createSubscription({ body: subscription(`acme.p.${name}`) })
}

test('contracts from earlier blocks are stored although somebody subscribes before the commit', async () => {
  const contract = await node.deploy(emitter(2))
  const fromBlock = Number(await node.request('eth_blockNumber', [])) + 1
  const pair = `0x${'ab'.repeat(20)}`
  const data = `${keccak256(Buffer.from('PairCreated(address,address)'))}${'0'.repeat(64)}${pair.slice(2).padStart(64, '0')}`
  await node.send({ to: contract, data })
  await listen('first', { contract, fromBlock })
  // The block after the gap is matched, and then matched again with the new subscription.
  let mustSubscribe = true
  const crashPoint = async (name: string) => {
    if (name !== 'ingest.matched' || !mustSubscribe) return
    mustSubscribe = false
    await listen('second', { contract, fromBlock })
  }
  const following = await follow(house, { crashPoint })
  const members = await until(
    async () => {
      await node.request('evm_mine')
      return query<{ fullname: string; address: string }>(
        house,
        'select t.fullname, m.address from factory_members m join triggers t on t.id = m.trigger_id order by t.fullname',
      )
    },
    (seen) => seen.some(({ fullname }) => fullname === 'acme.p.second'),
  )
  await following.stop()
  expect(mustSubscribe).toBe(false)
  expect(members).toEqual(['first', 'second'].map((name) => ({ fullname: `acme.p.${name}`, address: pair })))
})
