import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

/** The system reuses process ids. A pid with its start time identifies a process for good. */
export type ProcessIdentity = { pid: number; started: string | undefined }

export function identify(pid: number): ProcessIdentity {
  return { pid, started: startTimeOf(pid) }
}

export function isRunning({ pid, started }: ProcessIdentity): boolean {
  if (!isAlive(pid)) return false
  const now = startTimeOf(pid)
  return started === undefined || now === undefined || now === started
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    // A process of another user is alive too.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
  return statOf(pid)?.state !== 'Z'
}

/** The program and its arguments, or undefined when the system does not show them. */
export function commandLineOf(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
  } catch {
    return askPs(pid, 'command=')
  }
}

/** The process whose command line contains the text, or undefined when there is none or the system does not show it. */
export function findProcess(text: string): number | undefined {
  return listPids().find((pid) => pid !== process.pid && commandLineOf(pid)?.includes(text) && isAlive(pid))
}

function listPids(): number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger)
  } catch {
    return runPs(['-ax', '-o', 'pid='])
      .split('\n')
      .map(Number)
      .filter((pid) => pid > 0)
  }
}

function startTimeOf(pid: number): string | undefined {
  return statOf(pid)?.started ?? askPs(pid, 'lstart=')
}

/** The program's name is in parentheses and may contain any character, so fields are counted after the last one. */
function statOf(pid: number): { state: string; started: string } | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
    const [state, started] = [fields[0], fields[19]]
    return state && started ? { state, started } : undefined
  } catch {
    return undefined
  }
}

function askPs(pid: number, column: string): string | undefined {
  return runPs(['-ww', '-o', column, '-p', String(pid)]) || undefined
}

function runPs(args: string[]): string {
  if (process.platform === 'win32') return ''
  try {
    return execFileSync('ps', args, { stdio: ['ignore', 'pipe', 'ignore'] })
      .toString()
      .trim()
  } catch {
    return ''
  }
}
