import { readFileSync } from 'node:fs'

/** What a late process did: it got no CPU time (`starved`) or it used CPU time (`busy`). */
export type Lateness = 'starved' | 'busy' | 'unknown'

/** The steps in which Linux counts CPU time. */
const stepMs = 10

/**
 * Returns a function that begins a measurement of the CPU time of a process's main thread, because a process that got no CPU
 * on a busy machine is late but not stuck. Scripts run on that thread; those of the compiler do not count. Only Linux has
 * this figure. Reading it costs as much as a short call of a script, so measurements that begin within one step share a
 * reading.
 */
export function openCpuWatch(pid: number | undefined): (cpuMsMax: number) => () => Lateness {
  let before = Number.NaN
  let readAtMs = Number.NEGATIVE_INFINITY
  return (cpuMsMax) => {
    const nowMs = performance.now()
    if (nowMs - readAtMs >= stepMs) {
      before = cpuMsOf(pid)
      readAtMs = nowMs
    }
    const begun = before
    return () => {
      const used = cpuMsOf(pid) - begun
      if (Number.isNaN(used)) return 'unknown'
      return used < cpuMsMax ? 'starved' : 'busy'
    }
  }
}

function cpuMsOf(pid: number | undefined): number {
  try {
    const fields = readFileSync(`/proc/${pid}/task/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    return (Number(fields[11]) + Number(fields[12])) * stepMs
  } catch {
    return Number.NaN
  }
}
