import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Following, follow, queued, until } from '../harness/following.ts'
import { customSource, type Harness, harness, type Person, project, trigger } from '../harness/index.ts'
import { misbehavingNode } from '../nodes/misbehaving-node.ts'
import { startSolana } from '../nodes/solana.ts'

let house: Harness
let ann: Person
let following: Following

beforeAll(async () => {
  house = await harness({ ALLOW_PRIVATE_NETWORKS: 'on' })
  ann = await house.person('ann')
  await ann.saveWorkspace({ fullname: 'acme', body: { fullname: 'acme' } })
  await ann.saveProject({ fullname: 'acme.p', body: project('acme.p') })
  following = await follow(house)
})
afterAll(async () => {
  await following.stop()
  await house.close()
})

type Meta = { logMessages: string[] | null; innerInstructions: unknown[] }
type Sent = { transactions: { meta: Meta }[] }
const withLogs = (change: (meta: Meta) => string[] | null) => ({
  change: ({ method }: { method: string }, truth: unknown) => {
    if (method !== 'getBlock' || !truth) return undefined
    const block = truth as Sent
    const transactions = block.transactions.map((sent) => ({
      ...sent,
      meta: { ...sent.meta, logMessages: change(sent.meta) },
    }))
    return { result: { ...block, transactions } }
  },
})

test.each([
  ['are missing', withLogs(() => null), /the node returned no logs of it/],
  [
    'were cut',
    withLogs(({ logMessages }) => [...(logMessages ?? []).slice(0, 1), 'Log truncated']),
    /the chain cut its logs/,
  ],
])(
  'a Solana event whose logs %s is read from the inner instructions, or its transaction is named in the log',
  async (what, scenario, reason) => {
    const double = await startSolana()
    double.produceBlock()
    const endpoint = await misbehavingNode(double, scenario)
    const name = what.replace(' ', '')
    const fullname = `acme.${name}`
    const body = customSource(fullname, { kind: 'solana', endpoints: [endpoint.url] })
    await ann.saveCustomSource({ fullname, body })
    await until(
      async () => (await ann.getCustomSource({ fullname })).status,
      ({ status }) => status === 'running',
      60_000,
    )
    const triggerSpec = { type: 'solana_event', dataSource: fullname, programId: double.emitter } as const
    const { id } = await ann.saveTrigger({
      fullname: `acme.p.${name}`,
      body: trigger(`acme.p.${name}`, { triggerSpec }),
    })
    await ann.createSubscription({
      body: { workspace: 'acme', project: 'acme.p', trigger: `acme.p.${name}`, resources: [] },
    })
    await double.emit({ by: 'both' }, Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8))
    double.produceBlock()
    const lost = await double.emit({ by: 'log' }, Uint8Array.of(8, 7, 6, 5, 4, 3, 2, 1))
    double.produceBlock()
    const lines = await until(
      async () => (await ann.getCustomSourceLogs({ fullname, query: { limit: '500' } })).entries,
      (entries) => entries.some(({ message }) => message.includes(lost)),
    )
    const named = lines.filter(({ message }) => /events may be missing/.test(message))
    expect(named).toHaveLength(1)
    expect(named[0]).toMatchObject({ level: 'warn', message: expect.stringMatching(reason) })
    const matches = (await queued(house))
      .filter(({ data }) => data.triggerId === id)
      .flatMap(({ data }) => data.matches)
    expect(matches.map(({ item }) => item.params)).toEqual([{ data: '0x0102030405060708' }])
    await endpoint.close()
    await double.close()
  },
)
