import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { sourceFlags } from '../../../scripts/typescript.mjs'

export type Told = { url: string; pid: number; adopted: boolean; refused?: undefined } | { refused: string }

export type ServiceProcess = {
  child: ChildProcess
  /** The line that it prints when it has the server or is refused. */
  told: Promise<Told>
  end(signal: NodeJS.Signals): Promise<void>
}

const script = fileURLToPath(new URL('hold-server.ts', import.meta.url))
const flags = [...sourceFlags, '--experimental-strip-types', '--disable-warning=ExperimentalWarning']

export function startService(dataDir: string, user: { uid?: number; gid?: number } = {}): ServiceProcess {
  const child = spawn(process.execPath, [...flags, script, dataDir], {
    ...user,
    cwd: '/',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  return { child, told: readTold(child), end: (signal) => end(child, signal) }
}

/** Whether that user can reach Node and this checkout; below /root it cannot. */
export function canRunAs(user: { uid: number; gid: number }): boolean {
  const read = ['-e', 'fs.readFileSync(process.argv[1])', script]
  return spawnSync(process.execPath, read, { ...user, cwd: '/' }).status === 0
}

async function readTold(child: ChildProcess): Promise<Told> {
  let [said, complaint] = ['', '']
  child.stderr?.on('data', (chunk) => (complaint += chunk))
  for await (const chunk of child.stdout ?? []) {
    said += chunk
    if (said.includes('\n')) return JSON.parse(said)
  }
  throw new Error(`ended without a word; ${complaint}`)
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill(signal)
  await once(child, 'exit')
}
