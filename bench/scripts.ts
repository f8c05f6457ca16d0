import { parseArgs } from 'node:util'
import { openDoor } from '../server/src/engine/outbound/index.ts'
import { copyWindows } from '../server/src/engine/providers/index.ts'
import { runTrigger } from '../server/src/engine/run-trigger/index.ts'
import { startScripts } from '../server/src/engine/script/index.ts'
import { median } from './support/measure.ts'
import { cpuOfTree, largestDescendant } from './support/process-tree.ts'
import { printPoint, printRow } from './support/row.ts'
import { transferItem } from './support/transfer-item.ts'

/**
 * `npm run bench -- scripts [--calls N]`: the CPU time of a call of run-trigger with 10, 100, 1,000 and 4,000 different
 * scripts that are used in turn, for calls with one item and with ten. All sizes are measured in turns in one run, each
 * with its own processes. The CPU time is that of the service and of the processes that run the scripts.
 */
const { values } = parseArgs({ options: { calls: { type: 'string', default: '2000' } } })
const callsPerRound = Number(values.calls)
const rounds = 5
const counts = [10, 100, 1_000, 4_000]
/** The service evaluates up to 64 chunks at once. */
const atOnce = 64
const cpuMicros = () => cpuOfTree(process.pid)
const door = openDoor({ allowPrivateNetworks: false })

for (const items of [1, 10]) {
  const pools = counts.map((count) => openPool(count, items))
  const megabytes: number[] = []
  for (const pool of pools) {
    await pool.call(Math.max(2 * pool.count, 500))
    megabytes.push(Math.round(largestDescendant(process.pid)))
  }
  const took = pools.map((): number[] => [])
  for (let round = 0; round < rounds; round++)
    for (const [at, pool] of pools.entries()) took[at]?.push(await pool.microsPerCall(callsPerRound))
  report(items, took.map(median), megabytes)
  for (const pool of pools) await pool.close()
}
await door.close()

function report(items: number, micros: number[], megabytes: number[]): void {
  for (const [at, count] of counts.entries())
    printPoint({
      ...{ curve: 'scripts', series: items === 1 ? 'one item a call' : `${items} items a call`, n: count },
      ...{ value: Math.round(micros[at] ?? Number.NaN), unit: 'µs of CPU a call' },
    })
  const [ten = Number.NaN, , thousand = Number.NaN] = micros
  const each = counts.map((count, at) => `${count}: ${Math.round(micros[at] ?? Number.NaN)} µs, ${megabytes[at]} MB`)
  printRow({
    what: 'CPU of a call with 1,000 different scripts, against 10',
    part: items === 1 ? 'one item' : `${items} items`,
    wanted: '≤ 1.5 ×',
    seen: `${(thousand / ten).toFixed(2)} ×`,
    ok: thousand <= 1.5 * ten,
    details: `CPU of a call and memory of the process with ${each.join('; ')}`,
  })
  if (items === 1) return
  const perSecond = Math.round((1e6 * items) / ten)
  printRow({
    what: `items through run-trigger, ${items} a call, for each second of CPU time`,
    wanted: '≥ 3,000',
    seen: String(perSecond),
    ok: perSecond >= 3_000,
  })
}

function openPool(count: number, items: number) {
  const scripts = startScripts({ children: 1, idleMs: 3600_000 })
  const connection = () => {
    throw new Error('no source here')
  }
  const context = {
    scripts,
    outputsMax: 100,
    providers: { scripts, door, windows: copyWindows(), trigger: 'bench', connection },
  }
  const triggers = Array.from({ length: count }, (_, number) => triggerOf(number))
  const inputs = Array.from({ length: items }, (_, index) => transferItem(index))
  let next = 0
  const call = async (calls: number) => {
    const end = next + calls
    const callOn = async () => {
      while (next < end) {
        const runs = await runTrigger(triggers[next++ % count] ?? triggerOf(0), inputs, context)
        const failed = runs.find((run) => run.kind !== 'output')
        if (failed) throw new Error(JSON.stringify(failed))
      }
    }
    await Promise.all(Array.from({ length: atOnce }, callOn))
  }
  const microsPerCall = async (calls: number) => {
    const before = cpuMicros()
    await call(calls)
    return (cpuMicros() - before) / calls
  }
  return { count, call, microsPerCall, close: scripts.close }
}

function triggerOf(number: number) {
  const rawSource = `({ from: ${number}, amount: helpers.formatUnits(source.params.value, 18), to: helpers.lower(source.params.to), at: source.blockNumber })`
  return {
    providers: [],
    activation: null,
    transform: { language: 'javascript' as const, rawSource },
    executionPolicy: null,
  }
}
