import { setTimeout as pause } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type pg from 'pg'
import { cpuMicros, median } from './measure.ts'
import { cpuOfTree, parentOf } from './process-tree.ts'

export type Used = { service: number; receiver: number; store: number; node: number }

/** CPU time from now on, in microseconds; for PostgreSQL all processes, also those that ended. The EVM node is in this process. */
export async function startCpuClock(
  pids: { service: number; receiver: number },
  database: pg.Client,
): Promise<() => Used> {
  const { rows } = await database.query<{ pid: number }>('select pg_backend_pid() as pid')
  const postmaster = parentOf(rows[0]?.pid ?? 0) ?? 0
  const now = (): Used => ({
    service: cpuMicros(pids.service),
    receiver: cpuMicros(pids.receiver),
    store: cpuOfTree(postmaster),
    node: cpuMicros(process.pid),
  })
  const before = now()
  return () => {
    const after = now()
    return {
      service: after.service - before.service,
      receiver: after.receiver - before.receiver,
      store: after.store - before.store,
      node: after.node - before.node,
    }
  }
}

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
