import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, expect, test } from 'vitest'
import { startEmbeddedPostgres } from '../../server/src/store/embedded/index.ts'
import { layoutOf } from '../../server/src/store/embedded/layout.ts'
import { isAlive } from '../../server/src/store/embedded/process-identity.ts'
import { makeDataFolders, query } from '../harness/embedded/data-folders.ts'
import { canRunAs, startService, type Told } from '../harness/embedded/service-process.ts'

/** The embedded PostgreSQL after a kill, beside other processes, and as another user. */
const folders = makeDataFolders()
afterEach(() => folders.clear())
afterAll(() => folders.end())

const nobody = { uid: 65534, gid: 65534 }
const canBecomeNobody = process.getuid?.() === 0 && canRunAs(nobody)
const hasNamespaces = spawnSync('unshare', ['-U', 'true']).status === 0
const modeOf = (path: string) => statSync(path).mode & 0o777

function requireHeld(told: Told) {
  if (told.refused !== undefined) throw new Error(told.refused)
  return told
}

test('a server that a killed service left running is adopted with its data', async () => {
  const dataDir = await folders.makeUsed()
  const service = startService(dataDir)
  const held = requireHeld(await service.told)
  await query(held.url, 'create table kept as select 42 as answer')
  await service.end('SIGKILL')

  const next = await startEmbeddedPostgres(dataDir)
  expect(next).toMatchObject({ url: held.url, pid: held.pid, adopted: true })
  expect(await query(next.url, 'select answer from kept')).toEqual([{ answer: 42 }])
  await next.stop()
})

test('a killed server is started again with every acknowledged write', async () => {
  const dataDir = await folders.makeUsed()
  const first = await startEmbeddedPostgres(dataDir)
  await query(first.url, 'create table kept as select 42 as answer')
  process.kill(first.pid, 'SIGKILL')
  await first.stop()

  const second = await startEmbeddedPostgres(dataDir)
  expect(await query(second.url, 'select answer from kept')).toEqual([{ answer: 42 }])
  await second.stop()
})

test('a server that dies while its service runs is started again on the same port', async () => {
  const server = await startEmbeddedPostgres(await folders.makeUsed())
  await query(server.url, 'create table kept as select 42 as answer')
  const { pid } = server
  process.kill(pid, 'SIGKILL')
  expect(await queryOnceUp(server.url, 'select answer from kept')).toEqual([{ answer: 42 }])
  // It may answer a moment before whoever brought it back knows.
  await expect.poll(() => server.pid).not.toBe(pid)
  await server.stop()
})

test('a stop waits for a server that gets no CPU for six seconds', async () => {
  const dataDir = await folders.makeUsed()
  const server = await startEmbeddedPostgres(dataDir)
  process.kill(server.pid, 'SIGSTOP')
  const resumed = sleep(6_000).then(() => process.kill(server.pid, 'SIGCONT'))
  await Promise.all([server.stop(), resumed])
  expect(isAlive(server.pid)).toBe(false)
  expect(existsSync(join(layoutOf(dataDir).cluster, 'postmaster.pid'))).toBe(false)
})

test('a pid that now belongs to another program neither blocks the start nor is signalled', async () => {
  const dataDir = await folders.makeUsed()
  const first = await startEmbeddedPostgres(dataDir)
  process.kill(first.pid, 'SIGKILL')
  await first.stop()
  const bystander = spawn('sleep', ['60'])
  writeFileSync(
    join(layoutOf(dataDir).cluster, 'postmaster.pid'),
    `${bystander.pid}\n${layoutOf(dataDir).cluster}\n1\n1\n`,
  )

  const second = await startEmbeddedPostgres(dataDir)
  expect(second.adopted).toBe(false)
  expect(bystander.exitCode).toBeNull()
  bystander.kill()
  await second.stop()
})

test('a pid file without a pid does not block the start, and a server that is still running is adopted', async () => {
  const dataDir = await folders.makeUsed()
  const first = await startEmbeddedPostgres(dataDir)
  await first.stop()
  const pidFile = join(layoutOf(dataDir).cluster, 'postmaster.pid')
  mkdirSync(pidFile)
  const second = await startEmbeddedPostgres(dataDir)
  await second.stop()

  writeFileSync(pidFile, '\0not a pid\n', { mode: 0o000 })
  const service = startService(dataDir)
  const held = requireHeld(await service.told)
  await service.end('SIGKILL')
  writeFileSync(pidFile, '')
  const third = await startEmbeddedPostgres(dataDir)
  expect(third).toMatchObject({ pid: held.pid, url: held.url, adopted: true })
  await third.stop()
})

test('of three services that start at once on an empty folder one starts, and the others fail with the reason', async () => {
  const dataDir = folders.make()
  const services = [1, 2, 3].map(() => startService(dataDir))
  const told = await Promise.all(services.map((service) => service.told))
  const refusals = told.flatMap((told) => told.refused ?? [])
  expect(refusals).toHaveLength(2)
  for (const refusal of refusals) expect(refusal).toMatch(/is in use by another service \(process \d+\)/)
  await Promise.all(services.map((service) => service.end('SIGTERM')))

  const next = await startEmbeddedPostgres(dataDir)
  expect(next.adopted).toBe(false)
  await next.stop()
})

test.runIf(canBecomeNobody)('it also runs as an ordinary user', async () => {
  const dataDir = folders.make()
  chownSync(dataDir, nobody.uid, nobody.gid)
  const service = startService(dataDir, nobody)
  const held = requireHeld(await service.told)
  expect(await query(held.url, 'select 1 as one')).toEqual([{ one: 1 }])
  expect(modeOf(dataDir)).toBe(0o700)
  await service.end('SIGTERM')
})

test.runIf(canBecomeNobody)('a folder that is not writable is refused with a clear message', async () => {
  const dataDir = folders.make()
  chmodSync(dataDir, 0o555)
  const { refused } = await startService(dataDir, nobody).told
  expect(refused).toMatch(/^The data folder .* cannot be written: the user that runs the service may not write there\./)
})

test.runIf(canBecomeNobody)(
  'root runs it as the user nobody; if that user has no access, in a user namespace or not at all',
  async () => {
    const closed = join(folders.make(), 'closed')
    const dataDir = join(closed, 'data')
    chmodSync(join(closed, '..'), 0o755)
    mkdirSync(closed, { mode: 0o755 })
    expect(await ownerOfStarted(dataDir)).toBe(nobody.uid)
    chmodSync(closed, 0o700)
    if (hasNamespaces) expect(await ownerOfStarted(dataDir)).toBe(0)
    else await expect(ownerOfStarted(dataDir)).rejects.toThrow(/a folder above is closed to others/)
    chmodSync(closed, 0o755)
    expect(await ownerOfStarted(dataDir)).toBe(nobody.uid)
  },
)

async function ownerOfStarted(dataDir: string): Promise<number> {
  const server = await startEmbeddedPostgres(dataDir)
  await server.stop()
  return statSync(layoutOf(dataDir).cluster).uid
}

/** Asks again for as long as nobody answers. */
async function queryOnceUp(url: string, statement: string): Promise<unknown> {
  for (;;) {
    const rows = await query(url, statement).catch(() => undefined)
    if (rows) return rows
    await sleep(50)
  }
}
