import type { Policy } from '@tocsin/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { query, until } from '../harness/following.ts'
import { type HouseWithHook, houseWithHook } from '../harness/house-with-hook.ts'
import { checkedClient, customSource, subscription, trigger } from '../harness/index.ts'
import { type EvmNode, startEvmNode } from '../nodes/evm.ts'
import { faultyEndpoint } from '../nodes/faulty-endpoint.ts'

/**
 * A policy fires by the clock only when every block up to that time was read: our own standstill is no reason for an alarm.
 * The tests set the clock of the service and the times of the blocks together, in seconds since the first event.
 */

let shared: HouseWithHook
let node: EvmNode
let gate: Awaited<ReturnType<typeof faultyEndpoint>>
let isDown = false
let startSeconds = 0
let nowSeconds = 0

beforeAll(async () => {
  shared = await houseWithHook()
  node = await startEvmNode()
  gate = await faultyEndpoint(node.url, () => (isDown ? (response) => void response.destroy() : undefined))
  const { house } = shared
  house.clock.stop()
  startSeconds = Math.floor(house.clock.now().getTime() / 1000) - 60
  await event(0, 500)
  await ann().saveCustomSource({ fullname: 'acme.n', body: customSource('acme.n', { endpoints: [gate.url] }) })
  const listening = {
    triggerSpec: { type: 'evm_log' as const, dataSource: 'acme.n', topicsCount: 1 },
    transform: '({ v: Number(source.data) })',
  }
  await ann().saveTrigger({ fullname: 'acme.p.beat', body: trigger('acme.p.beat', listening) })
  startSeconds = Math.floor(house.clock.now().getTime() / 1000) + 1
  house.clock.advance(startSeconds * 1000 - house.clock.now().getTime())
})
afterAll(async () => {
  await shared.house.close()
  shared.receiver.close()
  await gate.close()
  await node.close()
})

/** The service that restarts has another port. */
function ann() {
  return checkedClient(shared.house.url, shared.ann.token)
}

function setClock(seconds: number): void {
  shared.house.clock.advance((seconds - nowSeconds) * 1000)
  nowSeconds = seconds
}

/** An event in a block of this time. */
async function event(seconds: number, value: number): Promise<void> {
  await node.request('evm_setNextBlockTimestamp', [`0x${(startSeconds + seconds).toString(16)}`])
  await node.emit([`0x${'1'.padStart(64, '0')}`], `0x${value.toString(16).padStart(64, '0')}`)
}

async function emptyBlock(seconds: number): Promise<void> {
  await node.request('evm_mine', [`0x${(startSeconds + seconds).toString(16)}`])
}

async function subscribe(policy: Policy, more: Parameters<typeof subscription>[1] = {}): Promise<string> {
  const body = subscription('acme.p.beat', { resources: ['acme.hook'], policy, ...more })
  const { id } = await ann().createSubscription({ body })
  return id
}

/** Waits until all blocks are applied and their matches evaluated. */
async function read(): Promise<void> {
  const head = Number(await node.request('eth_blockNumber'))
  const { house } = shared
  await until(
    () => query<{ number: string }>(house, "select number from followers where source = 'acme.n'"),
    ([row]) => Number(row?.number) >= head,
  )
  await until(
    () => query(house, "select 1 from pgboss.job where name like 'evaluate%' and state < 'completed'"),
    (rows) => rows.length === 0,
  )
}

/** Jobs start by the clock of the database, so those that wait are started here. */
async function hurry(): Promise<void> {
  await query(shared.house, "update pgboss.job set start_after = now() where name = 'policy' and start_after > now()")
}

/** Every timer of the subscription that is due has fired at least once, and waits. */
async function timersFired(id: string): Promise<void> {
  await until(
    async () => {
      await hurry()
      return query<{ due: Date }>(shared.house, 'select due_at as due from policy_states where subscription_id = $1', [
        id,
      ])
    },
    (rows) => rows.every(({ due }) => due === null || due > shared.house.clock.now()),
  )
}

/** The alerts of a subscription: state, and when it happened. */
async function told(id: string): Promise<string[]> {
  const rows = await query<{ state: string; at: Date; raw: { lastAt?: string } | undefined }>(
    shared.house,
    "select state, item_at as at, trace->'raw' as raw from alerts where subscription_id = $1 order by seq",
    [id],
  )
  const since = (at: Date | string) => new Date(at).getTime() / 1000 - startSeconds
  return rows.map(({ state, at, raw }) =>
    raw?.lastAt === undefined ? `${state} at ${since(at)}` : `${state} at ${since(at)}, last ${since(raw.lastAt)}`,
  )
}

async function toldAtLast(id: string, count: number): Promise<string[]> {
  await until(
    async () => {
      await hurry()
      return told(id)
    },
    (lines) => lines.length >= count,
  )
  return told(id)
}

test('after a restart that took longer than the policy, only what the blocks show is told', async () => {
  const absence = await subscribe({ type: 'absence', within: '40s' })
  const threshold = await subscribe({ type: 'threshold', value: 'v', below: 100, for: '40s' })
  const monitor = await subscribe({ type: 'monitor', for: '40s' }, { conditions: { param: 'v', op: 'lt', value: 100 } })
  await event(2, 50)
  await read()
  await shared.house.service.stop()
  for (const [seconds, value] of [
    [8, 500],
    [26, 500],
    [46, 500],
    [66, 500],
  ] as const)
    await event(seconds, value)
  setClock(70)
  // The timers fire before the first block is read.
  isDown = true
  await shared.house.restart()
  for (const id of [absence, threshold]) await timersFired(id)
  isDown = false
  await read()
  for (const id of [absence, threshold, monitor]) await timersFired(id)
  await emptyBlock(130)
  setClock(131)
  expect(await toldAtLast(absence, 1)).toEqual(['firing at 106, last 66'])
  await event(140, 500)
  setClock(140)
  await read()
  for (const id of [threshold, monitor]) {
    await timersFired(id)
    expect(await told(id)).toEqual([])
    await ann().deleteSubscription({ id })
  }
  expect(await told(absence)).toEqual(['firing at 106, last 66', 'resolved at 140'])
  await ann().deleteSubscription({ id: absence })
})

test('while the node is down no absence is told, and what was absent meanwhile is told after it with its times', async () => {
  await event(150, 500)
  setClock(150)
  const id = await subscribe({ type: 'absence', within: '40s' })
  await event(160, 500)
  setClock(160)
  await read()
  isDown = true
  await event(190, 500)
  setClock(230)
  await timersFired(id)
  expect(await told(id)).toEqual([])
  await emptyBlock(229)
  await timersFired(id)
  expect(await told(id)).toEqual([])
  isDown = false
  await read()
  await timersFired(id)
  expect(await told(id)).toEqual([])
  // Nothing came from 190 to 245, and the outage hid it.
  isDown = true
  await emptyBlock(235)
  await event(245, 500)
  setClock(250)
  await timersFired(id)
  expect(await told(id)).toEqual([])
  isDown = false
  expect(await toldAtLast(id, 2)).toEqual(['firing at 230, last 190', 'resolved at 245'])
  await ann().deleteSubscription({ id })
})

test('on a chain that makes no blocks an absence fires once the node has confirmed its head after the time', async () => {
  const id = await subscribe({ type: 'absence', within: '40s' })
  await event(260, 500)
  setClock(260)
  await read()
  isDown = true
  setClock(345)
  await timersFired(id)
  expect(await told(id)).toEqual([])
  isDown = false
  expect(await toldAtLast(id, 1)).toEqual(['firing at 300, last 260'])
})
