import { closeSync, fstatSync, ftruncateSync, openSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { readIfPresent, writePrivateFile } from '../core/data-folder.ts'
import type { Binaries } from './binaries.ts'
import { requirePassword } from './cluster.ts'
import { ask } from './connect.ts'
import type { Layout } from './layout.ts'
import { disownPostmaster, ownPostmaster, readPostmaster, removePostmaster } from './postmaster-file.ts'
import { isAlive } from './process-identity.ts'
import { spawnServer } from './program.ts'
import type { RunAs } from './run-as.ts'

export type Server = { pid: number; port: number; adopted: boolean }

const patienceMs = 60_000
const pauseMs = 30
/** Backends of a killed server may hold its memory for a moment, and another program may take the chosen port. */
const startsFailedMax = 10
const pauseAfterFailureMs = 200

/**
 * Returns the server on our cluster: the one that a crash left running, else a new one.
 *
 * A server that was left running may be starting, recovering or stopping; we wait until it answers or has ended. A new
 * server ends when a server of a killed start is faster. The next round of the loop then adopts that one.
 */
export async function obtainServer(layout: Layout, binaries: Binaries, runAs: RunAs): Promise<Server> {
  const patience = startPatience(layout)
  for (let startsFailed = 0; ; ) {
    const left = readPostmaster(layout)
    if (left?.state === 'running') {
      const { pid, port } = left
      if (port && (await isAnswering(layout, port, patience))) return { pid, port, adopted: true }
    } else {
      if (left?.state === 'unreadable') removePostmaster(layout)
      if (left?.state === 'foreign') disownPostmaster(layout)
      const started = await startServer(layout, binaries, runAs, patience)
      if (started) return started
      startsFailed += 1
      if (startsFailed > startsFailedMax) throw doesNotStart(layout)
    }
    await patience.pause(startsFailed)
  }
}

async function startServer(
  layout: Layout,
  binaries: Binaries,
  runAs: RunAs,
  patience: Patience,
): Promise<Server | undefined> {
  runAs.own(layout.cluster)
  ownPostmaster(layout, runAs)
  const port = await choosePort(layout)
  const log = openLog(layout.log)
  const child = spawnServer(binaries.postgres, ['-D', layout.cluster, ...settings(port)], runAs, log)
  closeLog(log)
  let hasEnded = false
  child.once('error', () => (hasEnded = true))
  child.once('exit', () => (hasEnded = true))
  while (!hasEnded) {
    const found = readPostmaster(layout)
    const pid = found?.state === 'running' ? found.pid : undefined
    if (pid === child.pid && pid && (await isAnswering(layout, port, patience))) return { pid, port, adopted: false }
    await patience.pause()
  }
  return undefined
}

/**
 * Durability stays at PostgreSQL's defaults. The caller logs failed statements, so the server's own log contains no
 * values of tenants.
 */
function settings(port: number): string[] {
  const values = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    shared_buffers: '128MB',
    max_connections: 200,
    jit: 'off',
    // Until a table is analysed, PostgreSQL plans as if it were small, and keeps those plans.
    autovacuum_naptime: '15s',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_checkpoints: 'off',
    logging_collector: 'off',
  }
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

async function isAnswering(layout: Layout, port: number, patience: Patience): Promise<boolean> {
  const answer = await ask({ port, password: requirePassword(layout) }, layout.cluster)
  if (answer === 'starting') patience.renew()
  return answer === 'ours'
}

type Patience = { pause(startsFailed?: number): Promise<void>; renew(): void }

/** Waits in short steps and gives up only when the server shows no activity, because recovery may take long. */
function startPatience(layout: Layout): Patience {
  let lastSign = performance.now()
  return {
    renew: () => {
      lastSign = performance.now()
    },
    pause: async (startsFailed = 0) => {
      if (performance.now() - lastSign > patienceMs) throw doesNotStart(layout)
      await sleep(pauseMs + startsFailed * pauseAfterFailureMs)
    },
  }
}

function doesNotStart(layout: Layout): Error {
  return new Error(`The embedded PostgreSQL does not start. Its log ${layout.log} ends:\n${lastLines(layout.log)}`)
}

/** With the five seconds for running requests, a fast stop stays within the ten seconds that operators wait. */
const fastStopMs = 3000
/** PostgreSQL kills processes of its own that take more than five seconds for an immediate stop. A busy machine needs longer. */
const immediateStopMs = 60_000

/**
 * First a fast stop, which ends the sessions and writes a checkpoint. If it takes too long, an immediate stop; the WAL recovers.
 * It returns only when the server has ended, because a process that ends earlier leaves the server behind.
 */
export async function stopServer(pid: number): Promise<void> {
  if (await hasStopped(pid, 'SIGINT', fastStopMs)) return
  if (await hasStopped(pid, 'SIGQUIT', immediateStopMs)) return
  throw new Error(`The embedded PostgreSQL (process ${pid}) does not stop.`)
}

async function hasStopped(pid: number, signal: NodeJS.Signals, withinMs: number): Promise<boolean> {
  if (isAlive(pid)) process.kill(pid, signal)
  const deadline = performance.now() + withinMs
  while (isAlive(pid) && performance.now() < deadline) await sleep(pauseMs)
  return !isAlive(pid)
}

const bytesMax = 10 * 1024 * 1024

/** Opens the server's log for appending. A log that is too long is truncated first. */
function openLog(path: string): number {
  const file = openSync(path, 'a', 0o600)
  if (fstatSync(file).size > bytesMax) ftruncateSync(file)
  return file
}

function closeLog(file: number): void {
  closeSync(file)
}

function lastLines(path: string): string {
  return readFileSync(path, 'utf8').trimEnd().split('\n').slice(-5).join('\n')
}

/** The port of the last start if it is free, else a free port, stored for the next start. */
async function choosePort(layout: Layout): Promise<number> {
  const kept = Number(readIfPresent(layout.port))
  if (kept > 0 && (await listenOn(kept))) return kept
  const free = await listenOn(0)
  if (!free) throw new Error('No free port on 127.0.0.1 for the embedded PostgreSQL.')
  writePrivateFile(layout.port, String(free))
  return free
}

/** Returns the port if it can be listened on, and closes it at once. */
function listenOn(port: number): Promise<number | undefined> {
  const server = createServer()
  return new Promise((resolve) => {
    server.once('error', () => resolve(undefined))
    server.listen(port, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' ? address?.port : undefined))
    })
  })
}
