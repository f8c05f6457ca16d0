import { readdirSync, readFileSync } from 'node:fs'
import { cpuMicros } from './measure.ts'

/** CPU time, in microseconds, of a process and all its descendants so far, including those that have ended. */
export function cpuOfTree(root: number): number {
  const children = new Map<number, number[]>()
  for (const name of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const parent = statOf(Number(name))?.parent
    if (parent !== undefined) children.set(parent, [...(children.get(parent) ?? []), Number(name)])
  }
  const sum = (pid: number): number => {
    const own = statOf(pid) === undefined ? 0 : usedBy(pid)
    return (children.get(pid) ?? []).reduce((total, child) => total + sum(child), own)
  }
  return sum(root)
}

/** What the process used, and what its ended children used. */
function usedBy(pid: number): number {
  try {
    return cpuMicros(pid) + (statOf(pid)?.endedChildrenMicros ?? 0)
  } catch {
    // The process ended meanwhile: its parent counts it now.
    return 0
  }
}

const microsPerTick = 10_000

function statOf(pid: number): { parent: number; endedChildrenMicros: number } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name of the program stands in brackets and may contain spaces.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const [parent, ticks] = [Number(fields[1]), Number(fields[13]) + Number(fields[14])]
    return { parent, endedChildrenMicros: ticks * microsPerTick }
  } catch {
    return undefined
  }
}
