import { existsSync, readFileSync } from 'node:fs'
import { cpuMicros, rssMegabytes } from './measure.ts'

/** CPU time, in microseconds, that this process and its child processes used together, also those that have ended. */
export function cpuOfAll(): () => number {
  return () => [process.pid, ...childPids()].reduce((sum, pid) => sum + microsOf(pid), endedMicros())
}

/** The largest resident memory of a child process of this process. */
export function largestChildMegabytes(): number {
  return Math.max(0, ...childPids().map((pid) => (existsSync(`/proc/${pid}`) ? rssMegabytes(pid) : 0)))
}

function childPids(): number[] {
  const children = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').trim()
  return children === '' ? [] : children.split(' ').map(Number)
}

function microsOf(pid: number): number {
  return existsSync(`/proc/${pid}`) ? cpuMicros(pid) : 0
}

/** The kernel counts children that ended in hundredths of a second. */
function endedMicros(): number {
  const stat = readFileSync('/proc/self/stat', 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[13]) + Number(fields[14])) * 10_000
}
