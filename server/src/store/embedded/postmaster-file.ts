import { chmodSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readIfPresent } from '../core/data-folder.ts'
import type { Layout } from './layout.ts'
import { commandLineOf, findProcess, isAlive } from './process-identity.ts'
import type { RunAs } from './run-as.ts'

/** What a running or killed server wrote into postmaster.pid. It writes the port a moment after the pid. */
export type Postmaster =
  | { state: 'running' | 'dead' | 'foreign'; pid: number; port: number | undefined }
  | { state: 'unreadable' }

export function readPostmaster(layout: Layout): Postmaster | undefined {
  const text = readText(layout)
  if (text === undefined) return undefined
  const lines = text.split('\n')
  const pid = Number(lines[0])
  if (!(pid > 0)) return findUnrecorded(layout)
  return { pid, port: Number(lines[3]) || undefined, state: stateOf(pid, layout) }
}

/** An unreadable file counts as an empty one. */
function readText(layout: Layout): string | undefined {
  try {
    return readIfPresent(pathOf(layout))
  } catch {
    return ''
  }
}

/** Another program may have got the pid meanwhile. It must not be waited for or signalled. */
function stateOf(pid: number, layout: Layout): 'running' | 'dead' | 'foreign' {
  if (!isAlive(pid)) return 'dead'
  return commandLineOf(pid)?.includes(layout.cluster) === false ? 'foreign' : 'running'
}

/** The file names no process, but a server may still run on the cluster. Its command line names the cluster. */
function findUnrecorded(layout: Layout): Postmaster {
  const pid = findProcess(` -D ${layout.cluster} `)
  if (pid === undefined) return { state: 'unreadable' }
  return { state: 'running', pid, port: Number(readIfPresent(layout.port)) || undefined }
}

/**
 * PostgreSQL does not start while the pid in the file is alive, whatever process it is, except its own parent. So we
 * write our own pid. The other lines stay: PostgreSQL uses them to see whether backends of the dead server still run.
 */
export function disownPostmaster(layout: Layout): void {
  const lines = readIfPresent(pathOf(layout))?.split('\n') ?? []
  writeFileSync(pathOf(layout), [process.pid, ...lines.slice(1)].join('\n'))
}

/** PostgreSQL refuses to start on an unreadable file. No server runs on the cluster, so the file can be removed. */
export function removePostmaster(layout: Layout): void {
  try {
    rmSync(pathOf(layout), { recursive: true, force: true })
  } catch (cause) {
    throw new Error(
      `${pathOf(layout)} cannot be read or removed, and PostgreSQL does not start while it is there. ` +
        'No PostgreSQL runs on this folder: delete the file, and give the folder to the user that starts the service.',
      { cause },
    )
  }
}

/** The file may belong to another user than PostgreSQL's, for example root after a manual repair. */
export function ownPostmaster(layout: Layout, runAs: RunAs): void {
  const found = statSync(pathOf(layout), { throwIfNoEntry: false })
  if (!found) return
  runAs.own(pathOf(layout))
  if ((found.mode & 0o600) !== 0o600) chmodSync(pathOf(layout), 0o600)
}

function pathOf(layout: Layout): string {
  return join(layout.cluster, 'postmaster.pid')
}
