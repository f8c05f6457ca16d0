/** Script processes that tests find and kill by the files in /proc, which only Linux has. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { afterEach, vi } from 'vitest'
import { type ScriptOptions, type Scripts, startScripts } from '../../server/src/engine/script/index.ts'

export const hasProcessFiles = existsSync('/proc/self/stat')

const opened: Scripts[] = []

/** Call it once per file: it ends the processes of each test. */
export function closeScriptsAfterEach(): void {
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((scripts) => scripts.close()))
  })
}

/** The command of a process contains its heap size. Each test uses another size and finds its own processes by it. */
let heapMegabytes = 200

export function nextHeapMegabytes(): number {
  heapMegabytes++
  return heapMegabytes
}

export function openScripts(options: ScriptOptions = {}) {
  const child = { heapMegabytes: nextHeapMegabytes(), ...options.child }
  const scripts = startScripts({ children: 1, ...options, child })
  opened.push(scripts)
  const run = (source: string, count = 1) =>
    scripts.run({ kind: 'raw', source }, Array(count).fill({ source: 1 }), { nowMs: 0, cpuMsMax: 60_000 })
  return { run, pids: () => pidsOf(child.heapMegabytes) }
}

/** Takes some tenths of a second. */
export const work = 'let n = 0; for (let i = 0; i < 5e6; i++) n += i % 7; return n'
export const worked = { ok: true, value: 14_999_995, logs: [] }

/** More CPU time than a process needs to start. */
export const startCpuMs = 1500
export const waiting = { timeout: 50_000, interval: 20 }

/** Kills the only process while it works on its call. */
export async function killAtWork(pids: () => number[], startedCpuMs = cpuMsOf(pids()[0])): Promise<number> {
  await vi.waitUntil(() => cpuMsOf(pids()[0]) > startedCpuMs + 100, waiting)
  const [pid = 0] = pids()
  process.kill(pid, 'SIGKILL')
  await vi.waitUntil(() => !pids().includes(pid), waiting)
  return pid
}

export function pidsOf(heapMegabytes: number): number[] {
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return all.filter((pid) => isRunning(pid, `--max-old-space-size=${heapMegabytes}\0`)).map(Number)
}

function isRunning(pid: string, flag: string): boolean {
  const command = read(pid, 'cmdline')
  return command.startsWith(process.execPath) && command.includes(flag)
}

/** The CPU time that a process has used; 0 if the process is gone. */
export function cpuMsOf(pid = 0): number {
  const fields = read(pid, 'stat').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * 10
}

/** Returns an empty text if the process is gone. */
function read(pid: number | string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}
