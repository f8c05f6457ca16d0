import { readFileSync } from 'node:fs'

/** What a late process did: it got no CPU time (`starved`) or it used CPU time (`busy`). */
export type Lateness = 'starved' | 'busy' | 'unknown'

/**
 * Measures a process's CPU time, because a process that got no CPU on a busy machine is late but not stuck. Only Linux
 * has this figure, in steps of 10 ms.
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
