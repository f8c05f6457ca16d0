import { readFileSync } from 'node:fs'
import { cpuMicros } from './measure.ts'

/** CPU time, in microseconds, that this process and its present child processes used together. */
export function cpuOfAll(): () => number {
  const children = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').trim().split(' ').map(Number)
  return () => [process.pid, ...children].reduce((sum, pid) => sum + cpuMicros(pid), 0)
}
