import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { startEvmNode } from '../tests/nodes/evm.ts'
import { startServer } from './support/measure.ts'
import { startHouse, subscribe, transferTopic } from './support/runtime-house.ts'

/** `npm run bench -- latency`: time from mining a block to its webhook, and the same for a plain script on the same node. */
const rounds = 200
const node = await startEvmNode()
const arrived = new Map<string, Map<number, number>>([
  ['/tocsin', new Map()],
  ['/plain', new Map()],
])
const receiver = createServer(async (request, response) => {
  const text = Buffer.concat(await request.toArray()).toString()
  const told = JSON.parse(text)
  const value = Number(request.url === '/plain' ? told.data : told.data.raw.params.value)
  arrived.get(request.url ?? '')?.set(value, performance.now())
  response.end()
}).listen(0, '127.0.0.1')
await new Promise((done) => receiver.once('listening', done))
const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`

const word = (value: number) => `0x${value.toString(16).padStart(64, '0')}`
const emit = (value: number) => node.emit([transferTopic, word(10), word(11)], word(value))
await emit(0)
const house = await startHouse()
await subscribe(house.client, node.wsUrl, `${url}/tocsin`)
const plain = await startServer('bench/support/plain-script.ts', [node.wsUrl, `${url}/plain`, transferTopic], {})
await pause(1_000)
for (let value = 1; value <= 10; value++) await emit(value)
await pause(2_000)

const mined = new Map<number, number>()
for (let value = 1_000; value < 1_000 + rounds; value++) {
  await emit(value)
  mined.set(value, performance.now())
  await pause(120)
}
await pause(3_000)
for (const [path, times] of arrived) {
  const took = [...mined].flatMap(([value, at]) => (times.has(value) ? [(times.get(value) ?? 0) - at] : []))
  took.sort((a, b) => a - b)
  const at = (share: number) =>
    (took[Math.min(took.length - 1, Math.floor(took.length * share))] ?? Number.NaN).toFixed(1)
  console.log(
    `${path.slice(1)}: ${took.length} of ${rounds}, p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, p99 ${at(0.99)} ms`,
  )
}
await plain.stop()
await house.close()
await node.close()
receiver.closeAllConnections()
receiver.close()
process.exit()
