import { setTimeout as pause } from 'node:timers/promises'
import { startEventLoad } from './support/event-load.ts'
import { cpuMicros, get, rssMegabytes } from './support/measure.ts'
import { printRow } from './support/row.ts'
import { startHouse, subscribe } from './support/runtime-house.ts'

/**
 * `npm run bench -- catch-up [EVENTS]`: the memory of the service (RSS of node) while it catches up a backlog, 50,000
 * events by default, and a minute after it sent the last of them. The service stops, the node mines the backlog, and the
 * service starts again.
 */
const events = Number(process.argv[2] ?? 50_000)
const [megabytesMax, idleFactorMax] = [350, 1.3]
const idleMs = 15_000
const afterMs = 60_000

const { node, receiver, mine, close } = await startEventLoad()
const before = await startHouse()
await subscribe(before.client, node.url, receiver.url)
await pause(idleMs)
const idle = rssMegabytes(before.pid)
await before.stop()
const mined = await mine(events, Number.POSITIVE_INFINITY)

const house = await startHouse(before.dataDir)
const startedAt = performance.now()
const { highest, lines } = await watchUntilSent()
const tookMs = performance.now() - startedAt
const cpuEach = cpuMicros(house.pid) / mined
await pause(afterMs)
const after = rssMegabytes(house.pid)
console.log(`RSS in MB every second: ${lines.join(' ')}`)
console.log(
  `${mined} events in ${(tookMs / 1000).toFixed(1)} s, ${Math.round(cpuEach)} µs of CPU time of the service each`,
)
printRow({
  direction: `memory of node while catching up ${mined} events`,
  wanted: `< ${megabytesMax} MB`,
  seen: `${Math.round(highest)} MB (idle before: ${Math.round(idle)} MB)`,
  ok: highest < megabytesMax,
})
printRow({
  direction: `memory of node a minute after catching up ${mined} events`,
  wanted: `< ${idleFactorMax} × idle`,
  seen: `${(after / idle).toFixed(2)} × (${Math.round(after)} MB)`,
  ok: after < idleFactorMax * idle,
})
await house.close()
await close()
process.exit()

async function watchUntilSent(): Promise<{ highest: number; lines: number[] }> {
  const lines: number[] = []
  let highest = 0
  for (let at = 0; Number(await get(receiver.url, {})) < mined; at++) {
    await pause(100)
    const megabytes = rssMegabytes(house.pid)
    highest = Math.max(highest, megabytes)
    if (at % 10 === 0) lines.push(Math.round(megabytes))
  }
  return { highest, lines }
}
