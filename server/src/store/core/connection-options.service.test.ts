import { once } from 'node:events'
import { createServer } from 'node:net'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type TestDatabase, takeDatabase } from '../../../../tests/harness/database.ts'
import { run } from '../../../../tests/setup/postgres.ts'
import { connectionOptions, hostsOf } from './connection-options.ts'
import { openPool } from './pool.ts'

let database: TestDatabase
let closedPort: number

beforeAll(async () => {
  database = await takeDatabase()
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  closedPort = typeof address === 'object' ? (address?.port ?? 0) : 0
  server.close()
})
afterAll(() => database.giveBack())

/** The URL of the test's database with a server in front that cannot be reached. */
function urlOfTwo(): string {
  const { host } = new URL(database.url)
  return database.url.replace(`@${host}/`, `@127.0.0.1:${closedPort},${host}/`)
}

test('a URL may name several servers, each with its own port', () => {
  const url = 'postgres://u:p%40@a.example:6000,[::1],c.example:6002/name?sslmode=verify-full'
  expect(hostsOf(url)).toEqual([
    { name: 'a.example', port: 6000, url: 'postgres://u:p%40@a.example:6000/name?sslmode=verify-full' },
    { name: '::1', port: 5432, url: 'postgres://u:p%40@[::1]/name?sslmode=verify-full' },
    { name: 'c.example', port: 6002, url: 'postgres://u:p%40@c.example:6002/name?sslmode=verify-full' },
  ])
  expect(connectionOptions('postgres:///name?host=/run')).toMatchObject({
    connectionString: 'postgres:///name?host=/run',
  })
})

test('a connection leads to the first server that can be reached and accepts writes', async () => {
  const pool = openPool(urlOfTwo(), 2)
  const { rows } = await pool.query('select current_database() as name')
  expect(rows[0].name).toBe(new URL(database.url).pathname.slice(1))
  await pool.end()
})

test('without a server that accepts writes the connection fails with the reason of each server', async () => {
  const { pathname } = new URL(database.url)
  await run(inject('postgresUrl'), `alter database ${pathname.slice(1)} set default_transaction_read_only = on`)
  const client = new pg.Client(connectionOptions(urlOfTwo()))
  await expect(client.connect()).rejects.toThrow(
    new RegExp(`accepts writes\\. 127\\.0\\.0\\.1:${closedPort}: .*ECONNREFUSED.*; .*: read-only$`),
  )
  await run(inject('postgresUrl'), `alter database ${pathname.slice(1)} reset default_transaction_read_only`)
})

test('TLS compares the certificate with the server that was chosen', async () => {
  const ssl: { checkServerIdentity?: (name: string, certificate: object) => Error | undefined } = {}
  const socket = connectionOptions(urlOfTwo()).stream!({ ssl }).connect(closedPort, '127.0.0.1')
  await once(socket, 'connect')
  socket.destroy()
  const { hostname } = new URL(database.url)
  const altNameOf = (name: string) => ({ subject: {}, subjectaltname: `IP Address:${name}` })
  expect(ssl.checkServerIdentity?.('first.example', altNameOf(hostname))).toBeUndefined()
  expect(ssl.checkServerIdentity?.('first.example', altNameOf('192.0.2.1'))).toBeInstanceOf(Error)
})

test.each([
  ['require', { rejectUnauthorized: false }],
  ['prefer', { rejectUnauthorized: false }],
  ['verify-full', {}],
  ['disable', false],
])('sslmode=%s means what it means to psql', (mode, ssl) => {
  const { connectionString } = connectionOptions(`postgres://u@a.example/name?sslmode=${mode}&application_name=x`)
  expect(sslOf(connectionString)).toEqual(ssl)
})

test('verify-ca needs the authority, and sslrootcert=system is the authorities that Node knows', () => {
  const { connectionString } = connectionOptions('postgres://u@a.example/name?sslmode=verify-ca')
  expect(() => sslOf(connectionString)).toThrow('sslrootcert')
  const system = connectionOptions(
    'postgres://u@a.example/name?sslrootcert=system&sslmode=verify-full',
  ).connectionString
  expect(sslOf(system)).toEqual({})
})

function sslOf(connectionString: string): unknown {
  return Reflect.get(new pg.Client({ connectionString }), 'ssl')
}
