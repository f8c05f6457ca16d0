import { afterAll, beforeAll, expect, test } from 'vitest'
import { commitUndo } from '../server/src/runtime/follow/commit-undo.ts'
import type { FollowerLease as Lease } from '../server/src/store/following/followers.ts'
import type { OpenStore } from '../server/src/store/index.ts'
import { type Following, follow, query, queued, until } from './harness/following.ts'
import {
  customSource,
  type Harness,
  harness,
  type Person,
  project,
  resource,
  subscription,
  trigger,
} from './harness/index.ts'
import { type EvmNode, startEvmNode } from './nodes/evm.ts'

let house: Harness
let store: OpenStore
let ann: Person
let triggerId: string

beforeAll(async () => {
  house = await harness({ ALLOW_PRIVATE_NETWORKS: 'on' })
  store = house.service.store
  ann = await house.person('ann')
  await ann.saveWorkspace({ fullname: 'acme', body: { fullname: 'acme' } })
  await ann.saveProject({ fullname: 'acme.p', body: project('acme.p') })
  for (const name of ['one', 'two'])
    await ann.saveResource({ fullname: `acme.${name}`, body: resource(`acme.${name}`) })
  triggerId = (await ann.saveTrigger({ fullname: 'acme.p.t', body: trigger('acme.p.t') })).id
})
afterAll(() => house.close())

/** Inserts an alert of a block with a delivery to each resource, as the evaluate and deliver loops do. */
async function addAlert(
  id: string,
  hash: string,
  incarnation: number,
  statuses: Record<string, string>,
): Promise<void> {
  const [ids] = await query<{ p: string; w: string }>(
    house,
    "select id as p, workspace_id as w from projects where fullname = 'acme.p'",
  )
  await query(
    house,
    `insert into alerts (id, account_id, workspace_id, project_id, trigger_id, project, trigger, status, source, block_number,
      block_hash, incarnation, item_at, message, trace, created_at, updated_at)
      values ($1, $2, $3, $4, $5, 'acme.p', 'acme.p.t', 'pending', 'acme.s', 5, $6, $7, now(), '{"title":"x"}', '{}', now(), now())`,
    [id, ann.id, ids?.w, ids?.p, triggerId, hash, incarnation],
  )
  for (const [name, status] of Object.entries(statuses))
    await query(
      house,
      `insert into deliveries (id, alert_id, resource_id, resource, blueprint, status, due_at, created_at, updated_at)
        select $1, $2, id, fullname, blueprint, $4, now(), now(), now() from resources where fullname = $3`,
      [`${id}-${name}`, id, `acme.${name}`, status],
    )
}

test('a follower that lost its lease writes neither blocks nor the checkpoint', async () => {
  const row = await store.followers.take('acme.fenced', 'me', new Date())
  const lease: Lease = { source: 'acme.fenced', epoch: row?.epoch ?? '' }
  const lost: Lease = { source: 'acme.fenced', epoch: '0' }
  const block = { number: 7, hash: 'h7', parentHash: 'h6' }
  const to = { number: 7, hash: 'h7', head: 8, headAt: null, finalized: 5 }
  const read = () =>
    query(
      house,
      `select f.number, f.head, f.finalized, b.hash, b.incarnation
        from followers f left join source_blocks b using (source) where f.source = 'acme.fenced'`,
    )
  expect(await store.sourceBlocks.advance(lost, [block], to, new Date())).toBeUndefined()
  expect(await read()).toEqual([{ number: null, head: null, finalized: null, hash: null, incarnation: null }])
  expect(await store.sourceBlocks.advance(lease, [block], to, new Date())).toEqual(new Map([['h7', 0]]))
  expect(await read()).toEqual([{ number: '7', head: '8', finalized: '5', hash: 'h7', incarnation: 0 }])
  // A block that is applied already is not added again; after an undo it is another incarnation.
  expect(await store.sourceBlocks.advance(lease, [block], to, new Date())).toEqual(new Map())
  await store.sourceBlocks.undo('acme.fenced', ['h7'], new Date())
  expect(await store.sourceBlocks.advance(lease, [block], to, new Date())).toEqual(new Map([['h7', 1]]))
})

test('undoing a block takes back its alerts, windows, values and unsent deliveries in one commit', async () => {
  const row = await store.followers.take('acme.s', 'me', new Date())
  const lease = { source: 'acme.s', epoch: row?.epoch ?? '' }
  const links = [4, 5, 6].map((number) => ({ number, hash: `h${number}`, parentHash: `h${number - 1}` }))
  await store.sourceBlocks.add('acme.s', links)
  await addAlert('sent', 'h5', 0, { one: 'delivered', two: 'pending' })
  const { id } = await ann.createSubscription({ body: subscription('acme.p.t') })
  await query(house, "update alerts set state = 'firing', subscription_id = $1 where id = 'sent'", [id])
  await addAlert('kept', 'h4', 0, { one: 'pending' })
  await addAlert('other', 'h5', 1, { one: 'pending' })
  const entries = ['h4', 'h5', 'h6'].map((block, value) => ({ key: String(value), value, block }))
  const window = { trigger: triggerId, provider: 'w', scope: 's' }
  await store.stateWindows.saveAll(
    [{ ...window, state: { shape: 'x', entries }, source: 'acme.s', blockNumber: 6 }],
    new Date(),
  )
  const name = { subscriptionId: id, ruleId: '', key: '' }
  const values = links.map(({ number, hash }) => ({
    ...{ ...name, value: String(number), bound: null, until: null, at: new Date(number), slot: new Date(number) },
    block: { source: 'acme.s', hash, incarnation: 0 },
  }))
  await store.policyValues.addAll(values, new Date())
  const [ground, ...replaced] = links
  const checkpoint = { head: 6, headAt: null, finalized: null }
  const undo = (end: () => Promise<void>) =>
    store.tx(async (store) => {
      const count = await commitUndo(store, {
        lease,
        blocks: replaced.toReversed(),
        to: ground!,
        checkpoint,
        at: new Date(),
      })
      await end()
      return count
    })
  const failing = undo(async () => {
    throw new Error('the power went')
  })
  await expect(failing).rejects.toThrow('the power went')
  const statuses = () =>
    query<{ id: string; status: string }>(
      house,
      'select id, status from alerts union all select id, status from deliveries order by id',
    )
  expect((await statuses()).some(({ status }) => status === 'retracted')).toBe(false)
  expect(await store.policyValues.list(name)).toHaveLength(3)
  expect(await undo(async () => {})).toBe(1)
  const after = Object.fromEntries((await statuses()).map(({ id, status }) => [id, status]))
  expect(after).toMatchObject({ sent: 'retracted', kept: 'pending', other: 'pending' })
  expect(after).toMatchObject({
    'sent-one': 'delivered',
    'sent-two': 'dropped',
    'kept-one': 'pending',
    'other-one': 'pending',
  })
  const corrections = await query<{ resource: string; status: string }>(
    house,
    "select resource, status from deliveries where kind = 'retraction'",
  )
  expect(corrections).toEqual([{ resource: 'acme.one', status: 'pending' }])
  expect(await query(house, "select 1 from pgboss.job where name = 'deliver'")).toHaveLength(1)
  expect(await query(house, "select data from pgboss.job where name = 'policy'")).toEqual([
    { data: { retractedOf: [id] } },
  ])
  expect((await store.stateWindows.find(window))?.entries.map(({ block }) => block)).toEqual(['h4'])
  expect((await store.policyValues.list(name)).map(({ value }) => value)).toEqual(['4'])
  expect((await store.followers.find('acme.s'))?.hash).toBe('h4')
  const again = await store.sourceBlocks.add('acme.s', replaced)
  expect([...again.values()]).toEqual([1, 1])
})

test('of two engines one follows; when it ends the other continues, and nothing is lost or doubled', async () => {
  const node: EvmNode = await startEvmNode()
  const topic = `0x${'7'.repeat(64)}`
  await node.emit([topic])
  const engines: Following[] = [await follow(house), await follow(house)]
  await ann.saveCustomSource({ fullname: 'acme.evm', body: customSource('acme.evm', { endpoints: [node.url] }) })
  const running = async () => (await ann.getCustomSource({ fullname: 'acme.evm' })).status.status
  await until(running, (status) => status === 'running')
  const triggerSpec = { type: 'evm_log', dataSource: 'acme.evm' } as const
  const { id } = await ann.saveTrigger({ fullname: 'acme.p.logs', body: trigger('acme.p.logs', { triggerSpec }) })
  await ann.createSubscription({
    body: { workspace: 'acme', project: 'acme.p', trigger: 'acme.p.logs', resources: [] },
  })
  const keys = async () =>
    (await queued(house))
      .filter(({ data }) => data.triggerId === id)
      .flatMap(({ data }) => data.matches.map(({ key }) => key))
  for (let round = 0; round < 6; round += 1) {
    for (let at = 0; at < 3; at += 1) await node.emit([topic])
    if (round === 2) await engines.shift()?.stop()
    if (round === 3) engines.push(await follow(house))
    if (round === 4) await engines.shift()?.stop()
  }
  const found = await until(keys, (seen) => seen.length >= 18)
  expect(found).toHaveLength(18)
  expect(new Set(found).size).toBe(18)
  for (const engine of engines) await engine.stop()
  await node.close()
})
