import { execFileSync } from 'node:child_process'
import { arch, cpus, loadavg, totalmem } from 'node:os'

/** The machine in one line: processor, cores, memory, Node and the state of the code. */
export function describeMachine(): string {
  const [first] = cpus()
  const cores = `${cpus().length} cores ${arch()}${first?.model && first.model !== 'unknown' ? ` (${first.model})` : ''}`
  return `${cores}, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.versions.node}, commit ${readCommit()}`
}

/** The date, and the load of the last minute: figures beside other work are worse than those of a quiet machine. */
export function describeMoment(): string {
  return `${new Date().toISOString().slice(0, 10)}, load ${loadavg()[0]?.toFixed(1)}`
}

function readCommit(): string {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
  } catch {
    return 'unknown'
  }
}
