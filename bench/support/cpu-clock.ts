import { existsSync, readdirSync, readFileSync } from 'node:fs'
import type pg from 'pg'
import { cpuMicros } from './measure.ts'

export type Used = { service: number; receiver: number; store: number; node: number }

/** CPU time from now on, in microseconds; for PostgreSQL all processes, also those that ended. The EVM node is in this process. */
export async function startCpuClock(
  pids: { service: number; receiver: number },
  database: pg.Client,
): Promise<() => Used> {
  const { rows } = await database.query<{ pid: number }>('select pg_backend_pid() as pid')
  const postmaster = statOf(rows[0]?.pid ?? 0).parent
  const now = (): Used => ({
    service: cpuMicros(pids.service),
    receiver: cpuMicros(pids.receiver),
    store: familyMicros(postmaster),
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

/** CPU time of a process, its children, and the children that ended; the kernel counts the latter in hundredths of a second. */
function familyMicros(pid: number): number {
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && existsSync(`/proc/${name}/stat`))
  const children = all.map(Number).filter((each) => statOf(each).parent === pid)
  return [pid, ...children].reduce((sum, each) => sum + cpuMicrosOf(each), statOf(pid).endedMicros)
}

function statOf(pid: number): { parent: number; endedMicros: number } {
  const stat = existsSync(`/proc/${pid}/stat`) ? readFileSync(`/proc/${pid}/stat`, 'utf8') : ''
  // The name of the process is in brackets and may contain spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return { parent: Number(fields[1]), endedMicros: (Number(fields[13]) + Number(fields[14])) * 10_000 }
}

function cpuMicrosOf(pid: number): number {
  return existsSync(`/proc/${pid}`) ? cpuMicros(pid) : 0
}
