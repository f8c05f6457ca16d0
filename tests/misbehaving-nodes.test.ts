import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SourceItem } from '../server/src/engine/world.ts'
import { type Following, follow, queued, until } from './harness/following.ts'
import { customSource, type Harness, harness, type Person, project, trigger } from './harness/index.ts'
import { type EvmNode, startEvmNode } from './nodes/evm.ts'
import { misbehavingNode, type Scenario } from './nodes/misbehaving-node.ts'
import { scenarios } from './nodes/scenarios.ts'

/**
 * Every scenario has a source of its own, on one chain that an honest source follows too. What each of them finds must be
 * what the honest one finds: nothing is missing, and nothing comes twice.
 */
type Kind = 'evm_log' | 'evm_transaction'
type Case = {
  name: string
  scenario: Scenario
  /** What the triggers of the source listen to; logs unless told. */
  kinds?: Kind[]
  /** The honest node is the second endpoint. */
  hasHonest?: true
  /** The endpoint is a web socket. */
  isSocket?: true
}

const logsAlone: Kind[] = ['evm_log']
const cases: Case[] = [{ name: 'block-readable-later', scenario: scenarios.lateBlocks(300) }]

const topic0 = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const abiFragment = 'event Transfer(address indexed from, address indexed to, uint256 value)'
const word = (hex: string) => `0x${hex.padStart(64, '0')}`

let house: Harness
let ann: Person
let node: EvmNode
let following: Following
const opened: { close(): Promise<void> }[] = []

beforeAll(async () => {
  house = await harness({ ALLOW_PRIVATE_NETWORKS: 'on' })
  ann = await house.person('ann')
  await ann.saveWorkspace({ fullname: 'acme', body: { fullname: 'acme' } })
  await ann.saveProject({ fullname: 'acme.p', body: project('acme.p') })
  node = await startEvmNode({ blockReceipts: true })
  await emit('0')
  await listen('honest', [node.url], ['evm_log', 'evm_transaction'])
  for (const { name, scenario, kinds = logsAlone, hasHonest, isSocket } of cases) {
    const bad = await misbehavingNode(node, scenario)
    opened.push(bad)
    await listen(name, [isSocket ? bad.wsUrl : bad.url, ...(hasHonest ? [node.url] : [])], kinds)
  }
  following = await follow(house)
  for (const name of ['honest', ...cases.map(({ name }) => name)])
    await until(
      () => ann.getCustomSource({ fullname: `acme.${name}` }),
      ({ status }) => status.status === 'running',
    )
  await happen()
}, 60_000)
afterAll(async () => {
  await following.stop()
  await house.close()
  for (const each of [...opened, node]) await each.close()
})

async function listen(name: string, endpoints: string[], kinds: Kind[]): Promise<void> {
  const dataSource = `acme.${name}`
  await ann.saveCustomSource({ fullname: dataSource, body: customSource(dataSource, { endpoints }) })
  for (const kind of kinds) {
    const fullname = `acme.p.${nameOf(name, kind)}`
    const triggerSpec = kind === 'evm_log' ? { type: kind, dataSource, abiFragment } : { type: kind, dataSource }
    await ann.saveTrigger({ fullname, body: trigger(fullname, { triggerSpec }) })
    await ann.createSubscription({
      body: { workspace: 'acme', project: 'acme.p', trigger: fullname, resources: [] },
    })
  }
}

const emit = (value: string) => node.emit([topic0, word('aa'), word('bb')], word(value))
const nameOf = (source: string, kind: Kind) => `${source}-${kind === 'evm_log' ? 'logs' : 'transactions'}`

/** A block with two transactions, each with a log; two blocks with one log each; an empty block. */
async function happen(): Promise<void> {
  await node.request('evm_setAutomine', [false])
  for (const value of ['1', '2']) await emit(value)
  await node.request('evm_mine')
  await node.request('evm_setAutomine', [true])
  for (const value of ['3', '4']) await emit(value)
  await node.request('evm_mine')
}

/** What was found, in the order of the chain: jobs have none among themselves. */
async function foundBy(name: string, kind: Kind): Promise<unknown[]> {
  const { id } = await ann.getTrigger({ fullname: `acme.p.${nameOf(name, kind)}` })
  const jobs = (await queued(house)).filter(({ data }) => data.triggerId === id)
  const items = jobs.flatMap(({ data }) => data.matches).map(({ item }) => item)
  const place = (item: SourceItem) => Number(item.blockNumber) * 1000 + Number(item.transactionIndex ?? item.index)
  return items.toSorted((a, b) => place(a) - place(b))
}

test.each(cases)('$name: what is found is what an honest node shows', async ({ name, kinds = logsAlone }) => {
  for (const kind of kinds) {
    const honest = await until(
      () => foundBy('honest', kind),
      (items) => items.length === 4,
    )
    const found = await until(
      () => foundBy(name, kind),
      (items) => items.length >= honest.length,
    )
    expect(found).toEqual(honest)
  }
})
