import { readFileSync } from 'node:fs'
import { createClient } from '@tocsin/sdk'
import { knownAttacks } from '../tests/hostile/known-attacks.ts'
import { startHostileNodes } from '../tests/hostile/node-attacks.ts'
import { routeAttacks, shareOf } from '../tests/hostile/route-attacks.ts'
import { runAttacks } from '../tests/hostile/run-attacks.ts'
import { prepareVictims } from '../tests/hostile/victims.ts'
import { rssMegabytes } from './support/measure.ts'
import { startProbe } from './support/probe-thread.ts'
import { printRow } from './support/row.ts'
import { startHouse } from './support/runtime-house.ts'

/**
 * `npm run bench -- hostile [step] [only]`: hostile requests and answers of nodes, one after the other, while a second
 * account asks for something small every 5 ms. `step` takes every so many of the generated ones, `only` those whose
 * name has this text.
 */
const step = Number(process.argv[2] ?? 7)
const only = process.argv[3] ?? ''
const tellAboveMs = 100

const nodes = await startHostileNodes()
const house = await startHouse(undefined, { RATE_TESTS_PER_MINUTE: '1000000', SIGN_UP: 'on' })
const victims = await prepareVictims(house.url, house.client, nodes.urls)
const nobody = createClient({ baseUrl: house.url })
const second = await nobody.signUp({
  body: { email: 'second@example.org', password: 'correct horse battery staple', name: 'Second' },
})
const attacks = [...knownAttacks, ...shareOf(routeAttacks(victims), step), ...shareOf(nodes.attacks, step)].filter(
  ({ name }) => name.includes(only),
)

const rssBefore = rssMegabytes(house.pid)
const probe = startProbe(`${house.url}/api/me`, second.token)
const statuses = new Map<number, number>()
let faults = 0
await runAttacks(house.url, victims.tokens, attacks, async (played) => {
  for (const status of played.status) statuses.set(status, (statuses.get(status) ?? 0) + 1)
  const waitedMs = await probe.takeMax()
  if (waitedMs > tellAboveMs) console.log(`${waitedMs.toFixed(0)} ms: ${played.name} (${played.status})`)
  for (const fault of played.faults) console.log(`fault: ${played.name}: ${fault}`)
  faults += played.faults.length
})
const waits = await probe.stop()
const grownMegabytes = peakMegabytes(house.pid) - rssBefore
const at = (share: number) => waits[Math.floor((waits.length - 1) * share)] ?? 0
console.log(`${waits.length} answers; p50 ${at(0.5).toFixed(1)} ms`)
console.log(`statuses: ${[...statuses].map(([status, count]) => `${count} × ${status}`).join(', ')}`)
const what = `${attacks.length} hostile requests and answers`
printRow({
  ...{ what, part: 'p99 of the wait of others' },
  ...{ wanted: '≤ 100 ms', seen: `${at(0.99).toFixed(0)} ms`, ok: at(0.99) <= 100 },
})
printRow({
  ...{ what, part: 'longest wait of others' },
  ...{ wanted: '≤ 300 ms', seen: `${at(1).toFixed(0)} ms`, ok: at(1) <= 300 },
})
printRow({
  ...{ what, part: 'memory' },
  ...{ wanted: '≤ 300 MB', seen: `${grownMegabytes.toFixed(0)} MB`, ok: grownMegabytes <= 300 },
})
printRow({ what, part: 'faults', wanted: '0', seen: String(faults), ok: faults === 0 })
await house.close()
await nodes.close()
process.exit()

function peakMegabytes(pid: number): number {
  return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
}
