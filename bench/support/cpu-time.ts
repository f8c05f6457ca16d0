import { setTimeout as pause } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { median } from './measure.ts'

/** Collects garbage before a measurement; other threads would do it during the measurement, and its time would count. */
export async function collectGarbage(): Promise<void> {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  await pause(1_000)
}

/** Prepares input that can be used only once, and returns the work to measure. */
export type Fresh = () => () => unknown

/** CPU milliseconds of each work, as medians. The works run in turns, so that other load on the machine affects all of them. */
export function cpuMsInTurns(works: readonly Fresh[], turns = 300): number[] {
  const used: number[][] = works.map(() => [])
  for (let turn = -turns / 3; turn < turns; turn++)
    for (const [at, prepare] of works.entries()) {
      const work = prepare()
      const before = process.cpuUsage()
      work()
      const { user, system } = process.cpuUsage(before)
      if (turn >= 0) used[at]?.push((user + system) / 1000)
    }
  return used.map(median)
}
