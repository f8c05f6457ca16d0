import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { arch, cpus, loadavg, totalmem } from 'node:os'

/** The machine in one line: processor, cores, memory, Node and the state of the code. */
export function describeMachine(): string {
  const [first] = cpus()
  const cores = `${cpus().length} cores ${arch()}${first?.model && first.model !== 'unknown' ? ` (${first.model})` : ''}`
  return `${cores}, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.versions.node}, commit ${readCommit()}`
}

/**
 * Begins to watch the machine. The returned function gives the date, the load of the minute before, and the share of CPU time
 * that the machine wanted since and did not get, because its host gave the time to others. With any of these, figures are
 * worse than those of a quiet machine.
 */
export function watchMachine(): () => string {
  const moment = `${new Date().toISOString().slice(0, 10)}, load ${loadavg()[0]?.toFixed(1)}`
  const before = readTimes()
  return () => {
    const stolen = Math.round(100 * stolenShare(before, readTimes()))
    return stolen > 0 ? `${moment}, ${stolen} % stolen` : moment
  }
}

/** From two texts of `/proc/stat`, the share of the CPU time between them that was stolen, without the time of idle cores. */
export function stolenShare(before: string, after: string): number {
  const [first, last] = [timesOf(before), timesOf(after)]
  // The columns: user, nice, system, idle, waiting for disks, two kinds of interrupts, stolen.
  const passed = last.slice(0, 8).map((time, at) => time - (first[at] ?? 0))
  const [user = 0, nice = 0, system = 0, , , hard = 0, soft = 0, stolen = 0] = passed
  return stolen / Math.max(1, user + nice + system + hard + soft + stolen)
}

function timesOf(text: string): number[] {
  const [all = ''] = text.split('\n')
  return all.split(/\s+/).slice(1).map(Number)
}

/** Empty on systems that do not tell. */
function readTimes(): string {
  try {
    return readFileSync('/proc/stat', 'utf8')
  } catch {
    return ''
  }
}

function readCommit(): string {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
  } catch {
    return 'unknown'
  }
}
