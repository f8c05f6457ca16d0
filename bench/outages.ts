import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { startEvmNode } from '../tests/nodes/evm.ts'
import type { Fault } from '../tests/nodes/faulty-endpoint.ts'
import { misbehavingNode } from '../tests/nodes/misbehaving-node.ts'
import { printRow } from './support/row.ts'
import { startHouse, subscribe, transferTopic } from './support/runtime-house.ts'

/**
 * `npm run bench -- outages [BLOCK_MS] [CASE]`: how late alerts are while the only node of a source fails in the ways that
 * providers do, and after it failed. The blocks go on meanwhile. An alert of a block that was made during an outage counts
 * from the end of the outage.
 */
const [blockMs, only] = [Number(process.argv[2] ?? 1_500), process.argv[3]]
const patienceMs = 60_000
const wantedMs = 5_000
const word = (value: number) => `0x${value.toString(16).padStart(64, '0')}`

type Phase = { seconds: number; fault: () => Fault; isOutage?: boolean }
const status =
  (code: number): Fault =>
  (response: ServerResponse) =>
    void response.writeHead(code).end('no')
const well = (seconds: number): Phase => ({ seconds, fault: () => undefined })
/** The same series in every run. */
let seed = 7
const chance = () => {
  seed = (seed * 16_807) % 2_147_483_647
  return seed / 2_147_483_647
}
const sometimes = (share: number, fault: Fault) => () => (chance() < share ? fault : undefined)
/** The request is never answered. */
const hang: Fault = () => {}

const cases: Record<string, Phase[]> = {
  '20 s of 429, 15 s good, 20 s of 500': [
    { seconds: 20, fault: () => status(429), isOutage: true },
    well(15),
    { seconds: 20, fault: () => status(500), isOutage: true },
    well(10),
  ],
  'half of the calls answered 500 for 60 s': [{ seconds: 60, fault: sometimes(0.5, status(500)) }, well(5)],
  'a third of the calls answered 503 for 60 s': [{ seconds: 60, fault: sometimes(1 / 3, status(503)) }, well(5)],
  '8 % of the calls hang for 60 s': [{ seconds: 60, fault: sometimes(0.08, hang) }, well(5)],
  '20 s of connections that are closed': [
    { seconds: 20, fault: () => (response: ServerResponse) => void response.destroy(), isOutage: true },
    well(10),
  ],
  '20 s of calls that hang': [{ seconds: 20, fault: () => hang, isOutage: true }, well(20)],
}

for (const [name, phases] of Object.entries(cases)) if (!only || name.includes(only)) await measure(name, phases)
process.exit()

async function measure(name: string, phases: readonly Phase[]): Promise<void> {
  const node = await startEvmNode()
  const emit = (value: number) => node.emit([transferTopic, word(10), word(11)], word(value))
  await emit(0)
  let fault: Phase['fault'] = () => undefined
  const endpoint = await misbehavingNode(node, { refuse: () => fault() })
  const arrived = new Map<number, number>()
  const receiver = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString()
    for (const [, value] of body.matchAll(/"value":"(\d+)"/g)) {
      if (!arrived.has(Number(value))) arrived.set(Number(value), performance.now())
    }
    response.writeHead(204).end()
  }).listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const house = await startHouse()
  await subscribe(house.client, endpoint.url, `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`)
  const due = new Map<number, number>()
  /** Each status of the source, with the message that it began with. */
  const states: string[] = []
  let made = 0
  for (const phase of [well(5), ...phases]) {
    fault = phase.fault
    const endsAt = performance.now() + phase.seconds * 1_000
    const of: number[] = []
    while (performance.now() < endsAt) {
      made += 1
      of.push(made)
      await emit(made)
      due.set(made, performance.now())
      const { status } = await house.client.getCustomSource({ fullname: 'bench.s' })
      if (status.status !== states.at(-1)?.split(' ')[0]) states.push(`${status.status} ${status.message ?? ''}`.trim())
      await pause(blockMs)
    }
    if (phase.isOutage) for (const value of of) due.set(value, performance.now())
  }
  fault = () => undefined
  const giveUpAt = performance.now() + patienceMs
  while (arrived.size < made && performance.now() < giveUpAt) await pause(100)
  const late = [...due].map(([value, at]) => Math.max(0, (arrived.get(value) ?? Number.POSITIVE_INFINITY) - at))
  const most = Math.max(...late)
  late.sort((a, b) => a - b)
  const p50 = late[Math.floor(late.length / 2)] ?? 0
  printRow({
    what: `alerts while the only node fails, a block every ${blockMs / 1_000} s`,
    part: name,
    wanted: `all, ≤ ${wantedMs / 1_000} s`,
    seen: `${arrived.size} of ${made}, ${(most / 1_000).toFixed(1)} s`,
    ok: arrived.size === made && most <= wantedMs,
    details: `p50 ${(p50 / 1_000).toFixed(1)} s`,
  })
  console.log(`status: ${states.join(' → ')}`)
  await house.close()
  receiver.closeAllConnections()
  receiver.close()
  await endpoint.close()
  await node.close()
}
