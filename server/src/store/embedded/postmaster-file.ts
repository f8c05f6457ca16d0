import { chmodSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Layout } from './layout.ts'
import { readIfPresent } from './private-file.ts'
import { commandLineOf, findProcess, isAlive } from './process-identity.ts'
import type { RunAs } from './run-as.ts'

/** What a running server, or one that was killed, wrote down about itself; the port comes a moment after the pid. */
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

/** A file that cannot be read says as little as an empty one. */
function readText(layout: Layout): string | undefined {
  try {
    return readIfPresent(pathOf(layout))
  } catch {
    return ''
  }
}

/** A pid that another program has got meanwhile must neither be waited for nor be signalled. */
function stateOf(pid: number, layout: Layout): 'running' | 'dead' | 'foreign' {
  if (!isAlive(pid)) return 'dead'
  return commandLineOf(pid)?.includes(layout.cluster) === false ? 'foreign' : 'running'
}

/** The file names no process, but a server may run on the cluster all the same: its command line names the cluster. */
function findUnrecorded(layout: Layout): Postmaster {
  const pid = findProcess(` -D ${layout.cluster} `)
  if (pid === undefined) return { state: 'unreadable' }
  return { state: 'running', pid, port: Number(readIfPresent(layout.port)) || undefined }
}

/**
 * PostgreSQL does not start while the pid in the file is alive, be it whose it may, except its parent's. So our own
 * pid is put there. The rest stays: by it PostgreSQL sees whether backends of the dead server are still at work.
 */
export function disownPostmaster(layout: Layout): void {
  const lines = readIfPresent(pathOf(layout))?.split('\n') ?? []
  writeFileSync(pathOf(layout), [process.pid, ...lines.slice(1)].join('\n'))
}

/** PostgreSQL refuses to start on a file that it cannot read. No server runs on the cluster, so the file is worth nothing. */
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

/** The file may belong to another user than the one that PostgreSQL runs as, such as root after a repair by hand. */
export function ownPostmaster(layout: Layout, runAs: RunAs): void {
  const found = statSync(pathOf(layout), { throwIfNoEntry: false })
  if (!found) return
  runAs.own(pathOf(layout))
  if ((found.mode & 0o600) !== 0o600) chmodSync(pathOf(layout), 0o600)
}

function pathOf(layout: Layout): string {
  return join(layout.cluster, 'postmaster.pid')
}
