import { openDoor } from '../server/src/engine/outbound/index.ts'
import { copyWindows } from '../server/src/engine/providers/index.ts'
import { runTrigger } from '../server/src/engine/run-trigger/index.ts'
import { startScripts } from '../server/src/engine/script/index.ts'
import { cpuOfAll } from './support/cpu-of-all.ts'

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
const item = (index: number) => ({
  nowMs: 1_700_000_000_000,
  inputs: { wallet: `0x${'ab'.repeat(20)}` },
  source: {
    address: `0x${'cd'.repeat(20)}`,
    blockNumber: 20_000_000,
    blockHash: `0x${'ef'.repeat(32)}`,
    blockTimestamp: 1_700_000_000,
    transactionHash: `0x${index.toString(16).padStart(64, '0')}`,
    transactionIndex: index,
    index,
    data: `0x${'0'.repeat(64)}`,
    topics: [`0x${'11'.repeat(32)}`, `0x${'22'.repeat(32)}`, `0x${'33'.repeat(32)}`],
    event: 'Transfer',
    args: [`0x${'AA'.repeat(20)}`, `0x${'BB'.repeat(20)}`, '5000000000000000000'],
    params: { from: `0x${'AA'.repeat(20)}`, to: `0x${'BB'.repeat(20)}`, value: '5000000000000000000' },
  },
})
const batch = Array.from({ length: 100 }, (_, index) => item(index))

for (let warm = 0; warm < 10; warm++) await runTrigger(trigger, batch, world)
const cpuMicros = cpuOfAll()
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
console.log(`run-trigger with one script, one lane: ${perSecond} items/s, ${perCpuSecond} per second of CPU time`)
await scripts.close()
await door.close()
