import { setTimeout as pause } from 'node:timers/promises'
import { startEvmNode } from '../tests/nodes/evm.ts'
import { misbehavingNode, type Scenario } from '../tests/nodes/misbehaving-node.ts'
import { scenarios } from '../tests/nodes/scenarios.ts'
import { get, startServer } from './support/measure.ts'
import { printRow } from './support/row.ts'
import { startHouse, subscribe, transferTopic } from './support/runtime-house.ts'

/**
 * `npm run bench -- calls [BLOCKS]`: how many JSON-RPC calls a followed block costs over HTTP, with one block per second and one log
 * trigger, and whether every event is delivered, also behind an endpoint with a rate limit.
 */
const blocks = Number(process.argv[2] ?? 40)
const patienceMs = 60_000
const word = (value: number) => `0x${value.toString(16).padStart(64, '0')}`

await measure('no limit', {})
await measure('3 calls a second', scenarios.callsPerSecond(3))
await measure('HTTP 429 on every fifth call', scenarios.everyFifthCallRefused())
process.exit()

async function measure(what: string, scenario: Scenario): Promise<void> {
  const node = await startEvmNode()
  const emit = (value: number) => node.emit([transferTopic, word(10), word(11)], word(value))
  await emit(0)
  const endpoint = await misbehavingNode(node)
  const receiver = await startServer('bench/support/count-hooks.ts', [], {})
  const house = await startHouse()
  await subscribe(house.client, endpoint.url, receiver.url)
  const arrived = async () => Number(await get(receiver.url, {}))
  endpoint.turn(scenario)
  const [arrivedBefore, callsBefore] = [await arrived(), endpoint.calls.length]
  for (let block = 1; block <= blocks; block++) {
    await emit(block)
    await pause(1_000)
  }
  const calls = endpoint.calls.length - callsBefore
  const atOnce = (await arrived()) - arrivedBefore
  const endsAt = performance.now() + patienceMs
  while ((await arrived()) - arrivedBefore < blocks && performance.now() < endsAt) await pause(100)
  const inTheEnd = (await arrived()) - arrivedBefore
  printRow({
    direction: `calls per followed block over HTTP, one block per second, one log trigger: ${what}`,
    wanted: 'all events delivered',
    seen: `${(calls / blocks).toFixed(1)} calls a block; ${atOnce} of ${blocks} events delivered with the last block, ${inTheEnd} in the end`,
    ok: inTheEnd === blocks,
  })
  await house.close()
  await receiver.stop()
  await endpoint.close()
  await node.close()
}
