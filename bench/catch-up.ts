import { setTimeout as pause } from 'node:timers/promises'
import { followChains } from './support/chain-sources.ts'
import { startEventLoad } from './support/event-load.ts'
import { cpuMicros, get, rssMegabytes } from './support/measure.ts'
import { printRow } from './support/row.ts'
import { startHouse } from './support/runtime-house.ts'

/**
 * `npm run bench -- catch-up [EVENTS] [SOURCES]`: the memory of the service (RSS of node) while it catches up a backlog, and a
 * minute after it sent the last webhook. The backlog is 50,000 events by default: first of one source, then spread over
 * 20 sources, which catch up together. The service stops, the node mines the events, and the service starts again.
 */
const [events = 50_000, sources = 20] = process.argv.slice(2).map(Number)
const [megabytesMax, idleFactorMax] = [350, 1.3]
const idleMs = 15_000
const afterMs = 60_000

await measure(1, events)
await measure(sources, events / sources)
process.exit()

async function measure(sources: number, eventsOfEach: number): Promise<void> {
  const { node, receiver, mine, close } = await startEventLoad()
  const before = await startHouse()
  const endpoints = Array.from({ length: sources }, () => node.url)
  await followChains(before, receiver.url, endpoints)
  await pause(idleMs)
  const idle = rssMegabytes(before.pid)
  await before.stop()
  const wanted = sources * (await mine(eventsOfEach, Number.POSITIVE_INFINITY))

  const house = await startHouse(before.dataDir)
  const startedAt = performance.now()
  const { highest, lines } = await watchMemory(house.pid, async () => Number(await get(receiver.url, {})) >= wanted)
  const tookMs = performance.now() - startedAt
  const cpuEach = cpuMicros(house.pid) / wanted
  await pause(afterMs)
  const after = rssMegabytes(house.pid)
  console.log(`RSS in MB every second: ${lines.join(' ')}`)
  console.log(
    `${wanted} events in ${(tookMs / 1000).toFixed(1)} s, ${Math.round(cpuEach)} µs of CPU time of the service each`,
  )
  const part = `${wanted.toLocaleString('en')} events of ${sources === 1 ? 'one source' : `${sources} sources`}`
  printRow({
    what: 'memory of node while it catches up',
    part,
    wanted: `< ${megabytesMax} MB`,
    seen: `${Math.round(highest)} MB`,
    ok: highest < megabytesMax,
  })
  printRow({
    what: 'memory of node a minute later, against idle',
    part,
    wanted: `< ${idleFactorMax} ×`,
    seen: `${(after / idle).toFixed(2)} × (${Math.round(after)} MB)`,
    ok: after < idleFactorMax * idle,
  })
  await house.close()
  await close()
}

async function watchMemory(pid: number, isDone: () => Promise<boolean>): Promise<{ highest: number; lines: number[] }> {
  const lines: number[] = []
  let highest = 0
  for (let at = 0; !(await isDone()); at++) {
    await pause(100)
    const megabytes = rssMegabytes(pid)
    highest = Math.max(highest, megabytes)
    if (at % 10 === 0) lines.push(Math.round(megabytes))
  }
  return { highest, lines }
}
