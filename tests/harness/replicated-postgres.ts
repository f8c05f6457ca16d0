/** A PostgreSQL primary and a streaming replica of it, made from the embedded binaries. */
import { appendFileSync, chmodSync, cpSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findBinaries } from '../../server/src/store/embedded/binaries.ts'
import { ensureCluster, requirePassword } from '../../server/src/store/embedded/cluster.ts'
import { ensureDatabase, urlOf } from '../../server/src/store/embedded/connect.ts'
import { type Layout, makeLayout } from '../../server/src/store/embedded/layout.ts'
import { isAlive } from '../../server/src/store/embedded/process-identity.ts'
import { chooseRunAs } from '../../server/src/store/embedded/run-as.ts'
import { obtainServer, type Server, stopServer } from '../../server/src/store/embedded/server.ts'
import { query } from './embedded/data-folders.ts'
import { lookUntil, patienceMs } from './look-until.ts'

export type ReplicatedPostgres = {
  primaryUrl: string
  replicaUrl: string
  /** A URL with both hosts, the primary first. */
  bothUrl: string
  stopReplica(): Promise<void>
  startReplica(): Promise<void>
  /** kill -9 of the primary and of its sessions. */
  killPrimary(): Promise<void>
  close(): Promise<void>
}

const database = 'tocsin'

/** With `isSynchronous`, the primary acknowledges a commit only after the replica has stored it. */
export async function startReplicatedPostgres({ isSynchronous = false } = {}): Promise<ReplicatedPostgres> {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'tocsin-replicated-'))
  const [first, second] = [makeLayout(join(folder, 'first')), makeLayout(join(folder, 'second'))]
  const binaries = await findBinaries()
  await ensureCluster(first, binaries, chooseRunAs(first, binaries))
  copyCluster(first, second)
  const primary = await start(first, isSynchronous ? ["synchronous_standby_names = '*'"] : [])
  const password = requirePassword(first)
  const conninfo = `host=127.0.0.1 port=${primary.port} user=postgres password=${password}`
  writeFileSync(join(second.cluster, 'standby.signal'), '')
  const replica = await start(second, [`primary_conninfo = '${conninfo}'`, 'hot_standby_feedback = on'])
  await ensureDatabase({ port: primary.port, password }, database)
  const urlAt = ({ port }: Server) => urlOf({ port, password }, database)
  await requireStreaming(urlAt(primary), isSynchronous ? 'sync' : 'async')
  return {
    primaryUrl: urlAt(primary),
    replicaUrl: urlAt(replica),
    bothUrl: urlAt(primary).replace(`:${primary.port}/`, `:${primary.port},127.0.0.1:${replica.port}/`),
    stopReplica: () => stopServer(replica.pid),
    startReplica: async () => void Object.assign(replica, await start(second)),
    killPrimary: () => kill(primary, urlAt(primary)),
    async close() {
      for (const { pid } of [replica, primary]) if (isAlive(pid)) await stopServer(pid)
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** A copy of a cluster that has never run is a valid base for a replica, and needs no pg_basebackup. */
function copyCluster(from: Layout, to: Layout): void {
  cpSync(from.cluster, to.cluster, { recursive: true })
  // A copy of a folder does not keep its mode, and PostgreSQL refuses one that others may read.
  chmodSync(to.cluster, 0o700)
  cpSync(from.password, to.password)
}

/** The machine itself does not fail in a test, so nothing has to reach the disk. */
async function start(layout: Layout, settings: string[] = []): Promise<Server> {
  const lines = ['fsync = off', 'full_page_writes = off', ...settings].map((line) => `${line}\n`)
  appendFileSync(join(layout.cluster, 'postgresql.auto.conf'), lines.join(''))
  const binaries = await findBinaries()
  return obtainServer(layout, binaries, chooseRunAs(layout, binaries))
}

async function requireStreaming(primaryUrl: string, state: 'sync' | 'async'): Promise<void> {
  const sql = `select from pg_stat_replication where state = 'streaming' and sync_state = '${state}'`
  const { isSo } = await lookUntil(
    () => query(primaryUrl, sql),
    (rows) => rows.length === 1,
    patienceMs,
  )
  if (!isSo) throw new Error(`The replica does not stream (${state}).`)
}

async function kill({ pid }: Server, url: string): Promise<void> {
  const sessions = (await query(url, 'select pid from pg_stat_activity')) as { pid: number }[]
  for (const each of [pid, ...sessions.map((session) => session.pid)]) if (isAlive(each)) process.kill(each, 'SIGKILL')
  const { isSo } = await lookUntil(
    async () => isAlive(pid),
    (isUp) => !isUp,
    patienceMs,
  )
  if (!isSo) throw new Error('The primary does not die.')
}
