import './harness/made-up-chain.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeSecretBox } from '../server/src/store/core/secret-box.ts'
import { readSecretKey } from '../server/src/store/core/secret-key.ts'
import { type OpenStore, openStore } from '../server/src/store/index.ts'
import { type Following, follow, query, queued, until } from './harness/following.ts'
import { customSource, type Harness, harness, type Person, project, subscription, trigger } from './harness/index.ts'
import { noteSpec, startNoteNode } from './harness/made-up-chain.ts'
import { notesKind } from './harness/made-up-kind.ts'
import { type NoticeFilter, startNoticeFilter } from './harness/notice-filter.ts'
import { type EvmNode, startEvmNode } from './nodes/evm.ts'

/** The engine's notices of changes are lost on their way; those of its probes arrive, so it takes them for complete. */
const topic0 = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const abiFragment = 'event Transfer(address indexed from, address indexed to, uint256 value)'
const word = (hex: string) => `0x${hex.padStart(64, '0')}`
const secretKey = 'k'.repeat(32)

let house: Harness
let ann: Person
let node: EvmNode
let filter: NoticeFilter
let store: OpenStore
let following: Following

beforeAll(async () => {
  house = await harness({ ALLOW_PRIVATE_NETWORKS: 'on', SECRET_KEY: secretKey })
  ann = await house.person('ann')
  await ann.saveWorkspace({ fullname: 'acme', body: { fullname: 'acme' } })
  await ann.saveProject({ fullname: 'acme.p', body: project('acme.p') })
  node = await startEvmNode()
  await node.emit([topic0, word('1'), word('2')], word('3'))
  filter = await startNoticeFilter(house.databaseUrl, (channel) => channel === 'tocsin')
  const box = makeSecretBox(await readSecretKey(secretKey, '', filter.url))
  store = openStore(filter.url, box, { connectionsMax: 6 })
  await store.jobQueue.start({ supervise: false, warn: () => undefined })
  following = await follow(house, { store })
  await ann.saveCustomSource({ fullname: 'acme.evm', body: customSource('acme.evm', { endpoints: [node.wsUrl] }) })
  const triggerSpec = { type: 'evm_log', dataSource: 'acme.evm', abiFragment } as const
  const filtersSchema = { to: { type: 'address', sourcePath: 'params.to' } }
  await ann.saveTrigger({ fullname: 'acme.p.t', body: trigger('acme.p.t', { triggerSpec, filtersSchema }) })
  await subscribe('f'.repeat(40))
  await until(
    () => ann.getCustomSource({ fullname: 'acme.evm' }),
    ({ status }) => status.status === 'running',
  )
})
afterAll(async () => {
  await following.stop()
  await store.close()
  await filter.close()
  await house.close()
  await node.close()
})

async function subscribe(to: string): Promise<string> {
  const conditions = { param: 'to', op: 'eq', value: `0x${to}` } as const
  return (await ann.createSubscription({ body: subscription('acme.p.t', { conditions }) })).id
}

test('a subscription matches in a block that was made after its save, although its notice was lost', async () => {
  await until(
    async () => store.notifications.isUp,
    (isUp) => isUp,
  )
  for (const to of ['a'.repeat(40), 'b'.repeat(40)]) {
    const id = await subscribe(to)
    await node.emit([topic0, word('1'), word(to)], word('5'))
    await until(
      () => queued(house),
      (jobs) => jobs.some(({ data }) => data.matches.some(({ listeners }) => listeners.includes(`${id}:`))),
    )
  }
  expect(filter.lost).toContain('tocsin')
})

test('blocks without matches move the checkpoint to the head', async () => {
  for (let block = 0; block < 3; block += 1) await node.emit([topic0, word('1'), word('2')], word('6'))
  const head = Number(await node.request('eth_blockNumber'))
  const rows = await until(
    () =>
      query<{ number: string; head: string }>(house, "select number, head from followers where source = 'acme.evm'"),
    ([row]) => Number(row?.number) === head,
  )
  expect(Number(rows[0]?.head)).toBe(head)
})

test('a subscription matches in a block that replaced the announced head after its save, although its notice was lost', async () => {
  const notes = await startNoteNode()
  try {
    await ann.saveCustomSource({
      fullname: 'acme.notes',
      body: customSource('acme.notes', { kind: notesKind, endpoints: [notes.url] }),
    })
    const triggerSpec = noteSpec({ dataSource: 'acme.notes', author: 'author-ann' })
    const filtersSchema = { words: { type: 'integer', sourcePath: 'words' } }
    await ann.saveTrigger({ fullname: 'acme.p.n', body: trigger('acme.p.n', { triggerSpec, filtersSchema } as never) })
    const subscribeTo = async (words: number) => {
      const conditions = { param: 'words', op: 'eq', value: words } as const
      return (await ann.createSubscription({ body: subscription('acme.p.n', { conditions }) })).id
    }
    const matched = (id: string) =>
      until(
        () => queued(house),
        (jobs) => jobs.some(({ data }) => data.matches.some(({ listeners }) => listeners.includes(`${id}:`))),
      )
    const first = await subscribeTo(1)
    await until(
      () => ann.getCustomSource({ fullname: 'acme.notes' }),
      ({ status, runtime }) => status.status === 'running' && runtime?.processedBlock !== undefined,
    )
    notes.produce({ author: 'author-ann', words: 1 })
    await matched(first)
    let second = ''
    const last = notes.produce({ author: 'author-ann', words: 1 })
    notes.hooks.beforeBlock = async (number) => {
      if (number !== last || second !== '') return
      second = 'is being saved'
      second = await subscribeTo(2)
      notes.replaceLast('0xb', { author: 'author-ann', words: 1 }, { author: 'author-ann', words: 2 })
    }
    await until(
      async () => second,
      (id) => id.length > 20,
    )
    await matched(second)
  } finally {
    notes.close()
  }
})
