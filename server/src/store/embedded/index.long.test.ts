import { statSync, writeFileSync } from 'node:fs'
import { afterAll, afterEach, expect, test } from 'vitest'
import { makeDataFolders, query } from '../../../../tests/harness/embedded/data-folders.ts'
import { ensureDatabase } from './connect.ts'
import { connectEmbedded, startEmbeddedPostgres } from './index.ts'
import { layoutOf } from './layout.ts'

const folders = makeDataFolders()
afterEach(() => folders.clear())
afterAll(() => folders.end())

const modeOf = (path: string) => statSync(path).mode & 0o777

test('a restart keeps the data, the port and the password', async () => {
  const dataDir = await folders.makeUsed()
  const first = await startEmbeddedPostgres(dataDir)
  await query(first.url, 'create table kept as select 42 as answer')
  await first.stop()
  expect(await connectEmbedded(dataDir)).toBeUndefined()

  const second = await startEmbeddedPostgres(dataDir)
  expect(second.url).toBe(first.url)
  expect(second.adopted).toBe(false)
  expect(await connectEmbedded(dataDir)).toBe(first.url)
  expect(await query(second.url, 'select answer from kept')).toEqual([{ answer: 42 }])
  await second.stop()
})

test('the server has owner-only files, listens on loopback, requires a password, and writes durably', async () => {
  const dataDir = folders.make()
  const server = await startEmbeddedPostgres(dataDir)
  const { cluster, password, port, log } = layoutOf(dataDir)
  expect([password, port, log, cluster].map(modeOf)).toEqual([0o600, 0o600, 0o600, 0o700])
  expect(modeOf(dataDir) & 0o066).toBe(0)
  await expect(query(server.url.replace(/:[0-9a-f]+@/, ':wrong@'), 'select 1')).rejects.toThrow(/password/)
  const settings = `select current_setting('listen_addresses') as addresses, current_setting('unix_socket_directories') as sockets,
    current_setting('fsync') as fsync, current_setting('synchronous_commit') as commit`
  expect(await query(server.url, settings)).toEqual([
    { addresses: '127.0.0.1', sockets: '', fsync: 'on', commit: 'on' },
  ])
  await server.stop()
})

test('a database that another process creates at the same time is used', async () => {
  const server = await startEmbeddedPostgres(await folders.makeUsed())
  const { port, password } = new URL(server.url)
  const names = ['a', 'a', 'a', 'b', 'b', 'b']
  await Promise.all(names.map((name) => ensureDatabase({ port: Number(port), password }, name)))
  await server.stop()
})

test('if its port is taken, the server uses another one', async () => {
  const dataDir = await folders.makeUsed()
  const first = await startEmbeddedPostgres(dataDir)
  await first.stop()
  const other = await startEmbeddedPostgres(await folders.makeUsed())
  writeFileSync(layoutOf(dataDir).port, new URL(other.url).port)
  const second = await startEmbeddedPostgres(dataDir)
  expect(new URL(second.url).port).not.toBe(new URL(other.url).port)
  await Promise.all([second.stop(), other.stop()])
})
