import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Layout } from './layout.ts'
import { readIfPresent } from './private-file.ts'
import { commandLineOf, isAlive } from './process-identity.ts'

/** What a running server, or one that was killed, wrote down about itself; the port comes a moment after the pid. */
export type Postmaster = { pid: number; port: number | undefined; state: 'running' | 'dead' | 'foreign' }

export function readPostmaster(layout: Layout): Postmaster | undefined {
  const lines = readIfPresent(pathOf(layout))?.split('\n') ?? []
  const pid = Number(lines[0])
  if (!(pid > 0)) return undefined
  return { pid, port: Number(lines[3]) || undefined, state: stateOf(pid, layout) }
}

/** A pid that another program has got meanwhile must neither be waited for nor be signalled. */
function stateOf(pid: number, layout: Layout): Postmaster['state'] {
  if (!isAlive(pid)) return 'dead'
  return commandLineOf(pid)?.includes(layout.cluster) === false ? 'foreign' : 'running'
}

/**
 * PostgreSQL does not start while the pid in the file is alive, be it whose it may, except its parent's. So our own
 * pid is put there. The rest stays: by it PostgreSQL sees whether backends of the dead server are still at work.
 */
export function disownPostmaster(layout: Layout): void {
  const lines = readIfPresent(pathOf(layout))?.split('\n') ?? []
  writeFileSync(pathOf(layout), [process.pid, ...lines.slice(1)].join('\n'))
}

function pathOf(layout: Layout): string {
  return join(layout.cluster, 'postmaster.pid')
}
