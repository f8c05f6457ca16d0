import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Receiver } from '../harness/deliveries.ts'
import { until } from '../harness/following.ts'
import { houseWithHook } from '../harness/house-with-hook.ts'
import { customSource, type Harness, type Person, subscription, trigger } from '../harness/index.ts'
import { faultyEndpoint } from '../nodes/faulty-endpoint.ts'
import { startSubstrateNode } from '../nodes/substrate.ts'

/** The node takes long to start. tests/finality.test.ts has the other chains. */

let house: Harness
let ann: Person
let receiver: Receiver
beforeAll(async () => {
  ;({ house, ann, receiver } = await houseWithHook())
})
afterAll(async () => {
  await house.close()
  receiver.close()
})

test('a Substrate alert waits for the finalized head, which is its safe level too', async () => {
  const chain = await startSubstrateNode()
  let finalizedHash: unknown = await chain.request('chain_getBlockHash', [0])
  const held = await faultyEndpoint(chain.url, ({ method }) =>
    method === 'chain_getFinalizedHead' ? { result: finalizedHash } : undefined,
  )
  const body = customSource('acme.substrate', { kind: 'substrate', endpoints: [held.url] })
  await ann.saveCustomSource({ fullname: body.fullname, body })
  const triggerSpec = {
    type: 'substrate_event',
    dataSource: 'acme.substrate',
    pallet: 'balances',
    event: 'Transfer',
  } as const
  await ann.saveTrigger({ fullname: 'acme.p.substrate', body: trigger('acme.p.substrate', { triggerSpec }) })
  const ids: string[] = []
  for (const finality of ['seen', 'safe', 'finalized'] as const) {
    const delivery = { finality }
    const made = subscription('acme.p.substrate', { resources: ['acme.hook'], delivery })
    ids.push((await ann.createSubscription({ body: made })).id)
  }
  await until(
    () => ann.getCustomSource({ fullname: 'acme.substrate' }),
    ({ runtime }) => runtime?.processedBlock !== undefined,
  )
  const { hash } = await chain.transfer(chain.ann, chain.bob, 10n ** 12n)
  const statuses = async () =>
    (await Promise.all(ids.map((id) => ann.listAlerts({ query: { subscription: id } })))).map(([one]) => one?.status)
  const become = (wanted: string[]) => until(statuses, (seen) => JSON.stringify(seen) === JSON.stringify(wanted))
  await become(['delivered', 'waiting', 'waiting'])
  const { number } = await chain.newBlock()
  await until(
    () => ann.getCustomSource({ fullname: 'acme.substrate' }),
    ({ runtime }) => (runtime?.processedBlock ?? 0) >= number,
  )
  expect(await statuses()).toEqual(['delivered', 'waiting', 'waiting'])
  finalizedHash = hash
  await chain.newBlock()
  await become(['delivered', 'delivered', 'delivered'])
  await held.close()
  await chain.close()
})
