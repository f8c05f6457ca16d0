import { setTimeout as pause } from 'node:timers/promises'
import { startEventLoad } from './support/event-load.ts'
import { cpuMicros } from './support/measure.ts'
import { printRow } from './support/row.ts'
import { startHouse, subscribe } from './support/runtime-house.ts'

/**
 * `npm run bench -- history [BLOCKS] [EVENTS]`: a new subscription runs over past blocks, 100,000 by default, that hold
 * 50,000 events by default. The events are in the last blocks; the blocks before them are empty.
 */
const [blocks, events] = [Number(process.argv[2] ?? 100_000), Number(process.argv[3] ?? 50_000)]
const minePerCall = 10_000

const { node, receiver, mine, close } = await startEventLoad()
for (let made = 0; made < blocks; made += minePerCall)
  await node.request('hardhat_mine', [`0x${Math.min(minePerCall, blocks - made).toString(16)}`])
const mined = await mine(events, Number.POSITIVE_INFINITY)
const house = await startHouse()
await subscribe(house.client, node.url, receiver.url)
const head = Number(await node.request('eth_blockNumber'))
const [cpuBefore, startedAt] = [cpuMicros(house.pid), performance.now()]
const from = { block: Math.max(0, head - blocks + 1) }
const body = { workspace: 'bench', project: 'bench.p', trigger: 'bench.p.t', resources: [], from }
const { id } = await house.client.createSubscription({ body })
for (let state = 'running'; state === 'running'; ) {
  await pause(200)
  state = (await house.client.getSubscription({ id })).history?.state ?? 'failed'
}
const seconds = (performance.now() - startedAt) / 1000
const { history } = await house.client.getSubscription({ id })
const cpu = cpuMicros(house.pid) - cpuBefore
console.log(`${cpu / 1000} ms of CPU time of the service, ${Math.round(cpu / blocks)} µs a block`)
printRow({
  direction: `history of ${blocks} blocks with ${mined} events`,
  wanted: '–',
  seen: `${Math.round(blocks / seconds)} blocks/s, ${Math.round(mined / seconds)} events/s, ${seconds.toFixed(1)} s`,
  ok: history?.state === 'done',
})
await house.close()
await close()
process.exit()
