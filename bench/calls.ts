import { setTimeout as pause } from 'node:timers/promises'
import { startEvmNode } from '../tests/nodes/evm.ts'
import { misbehavingNode, type Scenario } from '../tests/nodes/misbehaving-node.ts'
import { scenarios } from '../tests/nodes/scenarios.ts'
import { get, startServer } from './support/measure.ts'
import { printRow } from './support/row.ts'
import { startHouse, subscribe, transferTopic } from './support/runtime-house.ts'

/**
 * `npm run bench -- calls [BLOCKS]`: how many JSON-RPC calls a followed block costs over HTTP, with one block per second and one log
 * trigger, and whether every event is delivered, also behind an endpoint with a rate limit. Then how many of these calls are
 * about logs and receipts, by what the block's bloom says and by what the block holds.
 */
const blocks = Number(process.argv[2] ?? 40)
const patienceMs = 60_000
/** Blocks of each kind, half of them before the figures count. */
const rounds = 48
const proofPauseMs = 250
const word = (value: number) => `0x${value.toString(16).padStart(64, '0')}`

await measure('no limit', {})
await measure('3 calls a second', scenarios.callsPerSecond(3))
await measure('HTTP 429 on every fifth call', scenarios.everyFifthCallRefused())
await measureProofs('true blooms', {})
await measureProofs('blooms of zeros', scenarios.bloom(`0x${'00'.repeat(256)}`))
await measureProofs('no bloom', scenarios.nullBloom())
await measureProofs('blooms of ones', scenarios.fullBloom())
process.exit()

/** Blocks with a log, with a transaction alone, and without transactions, in turn. What a chain teaches at first is told apart. */
async function measureProofs(what: string, scenario: Scenario): Promise<void> {
  const node = await startEvmNode({ blockReceipts: true })
  const emit = (value: number) => node.emit([transferTopic, word(10), word(11)], word(value))
  await emit(0)
  const asked: string[] = []
  const endpoint = await misbehavingNode(node, {
    ...scenario,
    refuse({ method, params }) {
      const [which] = params
      const { blockHash } = Object(which)
      if (/getLogs|Receipt/.test(method)) asked.push(String(blockHash ?? which))
      return undefined
    },
  })
  const receiver = await startServer('bench/support/count-hooks.ts', [], {})
  const house = await startHouse()
  await subscribe(house.client, endpoint.url, receiver.url)
  const mine = [
    emit,
    () => node.send({ to: `0x${'dd'.repeat(20)}`, value: '0x1' }),
    () => node.request('evm_mine'),
  ] as const
  const hashes: string[][] = [[], [], []]
  for (let round = 1; round <= rounds; round++)
    for (const [kind, mineOne] of mine.entries()) {
      await mineOne(round)
      const block = Object(await node.request('eth_getBlockByNumber', ['latest', false]))
      hashes[kind]?.push(String(block.hash))
      await pause(proofPauseMs)
    }
  const endsAt = performance.now() + patienceMs
  while (Number(await get(receiver.url, {})) < rounds && performance.now() < endsAt) await pause(100)
  await pause(1_000)
  const perBlock = (from: number, to: number) =>
    hashes.map((all) => {
      const counted = new Set(all.slice(from, to))
      return (asked.filter((hash) => counted.has(hash)).length / counted.size).toFixed(2)
    })
  const half = rounds / 2
  const inTheEnd = Number(await get(receiver.url, {}))
  printRow({
    what: 'calls for the logs of a block (with a log, with a transaction, empty)',
    part: what,
    wanted: '≤ 2, all events',
    seen: perBlock(half, rounds).join(', '),
    ok: inTheEnd >= rounds && perBlock(half, rounds).every((calls) => Number(calls) <= 2),
    details: `in the first ${half} blocks of each kind ${perBlock(0, half).join(', ')}; ${inTheEnd} of ${rounds} events delivered`,
  })
  await house.close()
  await receiver.stop()
  await endpoint.close()
  await node.close()
}

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
    what: 'calls for a followed block over HTTP',
    part: what,
    wanted: 'all events',
    seen: `${(calls / blocks).toFixed(1)} calls, ${inTheEnd} of ${blocks} events`,
    ok: inTheEnd === blocks,
    details: `${atOnce} of ${blocks} events delivered with the last block`,
  })
  await house.close()
  await receiver.stop()
  await endpoint.close()
  await node.close()
}
