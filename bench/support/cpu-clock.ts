import type pg from 'pg'
import { cpuMicros } from './measure.ts'
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
