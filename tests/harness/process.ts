import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { sourceFlags } from '../../scripts/typescript.mjs'

export type Running = { url: string; output: string; child: ChildProcess; exited: Promise<number | null> }

const root = resolve(import.meta.dirname, '../..')

/** Starts the service as a process on its embedded PostgreSQL, and resolves when it serves. `folder` holds its sources. */
export async function startProcess(
  dataDir: string,
  variables: Record<string, string> = {},
  folder: string = root,
): Promise<Running> {
  const service = { HOST: '127.0.0.1', PORT: '0', DATA_DIR: dataDir, MARKETPLACE: 'off', LOG_LEVEL: 'error' }
  const child = spawnScript('server/src/main.ts', [], { ...service, ...variables }, folder)
  const exited = new Promise<number | null>((done) => child.once('exit', (code) => done(code)))
  // A test that fails before the service serves cannot end it.
  const end = () => child.kill('SIGKILL')
  process.once('exit', end)
  void exited.then(() => process.off('exit', end))
  let output = ''
  const url = await new Promise<string>((serving, failed) => {
    const read = (chunk: Buffer) => {
      output += chunk
      const found = /serving at (http:\S+)/.exec(output)?.[1]
      if (found) serving(found)
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    void exited.then((code) => failed(new Error(`ended with ${code}: ${output}`)))
  })
  return {
    url,
    get output() {
      return output
    },
    child,
    exited,
  }
}

/** Runs one of the service's commands with the given environment. */
export function spawnScript(file: string, args: string[], variables: Record<string, string>, folder: string = root) {
  const env = { PATH: process.env.PATH, NODE_COMPILE_CACHE: 'node_modules/.cache/compiled', ...variables }
  return spawn(process.execPath, [...sourceFlags, file, ...args], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

export async function killHard(running: Running): Promise<void> {
  running.child.kill('SIGKILL')
  await running.exited
}

/** The pid of the embedded PostgreSQL of a data folder. */
export function postmasterPid(dataDir: string): number {
  return Number(readFileSync(join(dataDir, 'postgres/cluster/postmaster.pid'), 'utf8').split('\n')[0])
}
