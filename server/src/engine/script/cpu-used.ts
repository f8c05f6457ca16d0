import { readFileSync } from 'node:fs'

/** How a process that is late spent its time. */
export type Lateness = 'starved' | 'busy' | 'unknown'

/**
 * A process that got no CPU on a busy machine is late, but it is not stuck. Only Linux tells, in steps of a clock tick.
 */
export function watchCpu(pid: number | undefined, cpuMsMax: number): () => Lateness {
  const before = cpuMsOf(pid)
  return () => {
    const used = cpuMsOf(pid) - before
    if (Number.isNaN(used)) return 'unknown'
    return used < cpuMsMax ? 'starved' : 'busy'
  }
}

function cpuMsOf(pid: number | undefined): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    return (Number(fields[11]) + Number(fields[12])) * 10
  } catch {
    return Number.NaN
  }
}
