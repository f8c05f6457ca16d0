import { readdirSync, readFileSync } from 'node:fs'
import { cpuMicros, rssMegabytes } from './measure.ts'

/** CPU time, in microseconds, of a process and all its descendants so far, including those that have ended. */
export function cpuOfTree(root: number): number {
  return [root, ...descendantsOf(root)].reduce((sum, pid) => sum + usedBy(pid), 0)
}

/** The largest resident memory of a descendant of the process, in megabytes. */
export function largestDescendant(root: number): number {
  return Math.max(0, ...descendantsOf(root).map(rssMegabytes))
}

/** The parent of a process. */
export function parentOf(pid: number): number | undefined {
  return statOf(pid)?.parent
}

function descendantsOf(root: number): number[] {
  const all = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? Number(name) : []))
  const byParent = Map.groupBy(all, parentOf)
  const found = [...(byParent.get(root) ?? [])]
  for (const pid of found) found.push(...(byParent.get(pid) ?? []))
  return found
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
