import { openDoor } from '../server/src/engine/outbound/index.ts'
import { copyWindows } from '../server/src/engine/providers/index.ts'
import { runTrigger } from '../server/src/engine/run-trigger/index.ts'
import { startScripts } from '../server/src/engine/script/index.ts'
import { cpuOfTree } from './support/process-tree.ts'
import { printRow } from './support/row.ts'
import { transferItem } from './support/transfer-item.ts'

/**
 * `npm run bench -- run`: items per second through run-trigger with one script, in one child, by wall-clock time
 * and by the CPU time of both processes together, which other work on the machine does not change.
 */
const scripts = startScripts({ children: 1, idleMs: 3600_000 })
const door = openDoor({ allowPrivateNetworks: false })
const connection = () => {
  throw new Error('no source here')
}
const world = {
  scripts,
  outputsMax: 100,
  providers: { scripts, door, windows: copyWindows(), trigger: 'bench', connection },
}
const trigger = {
  providers: [],
  activation: null,
  transform: {
    language: 'javascript' as const,
    rawSource:
      '({ amount: helpers.formatUnits(source.params.value, 18), to: helpers.lower(source.params.to), at: source.blockNumber })',
  },
  executionPolicy: null,
}
const batch = Array.from({ length: 100 }, (_, index) => transferItem(index))

for (let warm = 0; warm < 10; warm++) await runTrigger(trigger, batch, world)
const cpuMicros = () => cpuOfTree(process.pid)
const cpuBegan = cpuMicros()
const began = performance.now()
let done = 0
while (performance.now() - began < 5_000) {
  const runs = await runTrigger(trigger, batch, world)
  if (runs.some((run) => run.kind !== 'output'))
    throw new Error(JSON.stringify(runs.find((run) => run.kind !== 'output')))
  done += runs.length
}
const perSecond = Math.round(done / ((performance.now() - began) / 1000))
const perCpuSecond = Math.round(done / ((cpuMicros() - cpuBegan) / 1e6))
printRow({
  what: 'items/s through run-trigger with one script',
  wanted: '≥ 3,000/s',
  seen: `${perSecond}/s; ${perCpuSecond} per second of CPU time`,
  ok: perCpuSecond >= 3_000,
})
await scripts.close()
await door.close()
