import { once } from 'node:events'
import { createServer } from 'node:net'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type TestDatabase, takeDatabase } from '../../../../tests/harness/database.ts'
import { startTransactionPooler } from '../../../../tests/nodes/transaction-pooler.ts'
import { run } from '../../../../tests/setup/postgres.ts'
import { requireUsableDatabase } from './preflight.ts'

let database: TestDatabase
let name: string
beforeAll(async () => {
  database = await takeDatabase()
  name = new URL(database.url).pathname.slice(1)
  await run(inject('postgresUrl'), "create role limited login password 'limited'")
})
afterAll(async () => {
  await run(database.url, 'drop owned by limited')
  await run(inject('postgresUrl'), 'drop role limited')
  await database.giveBack()
})

const urlWith = (changes: Partial<Pick<URL, 'username' | 'password' | 'port' | 'pathname'>>) =>
  Object.assign(new URL(database.url), changes).href

test('a database that can be used is accepted', async () => {
  await requireUsableDatabase(database.url)
})

test.each([
  [
    { pathname: '/nowhere' },
    /no connection to 127\.0\.0\.1:\d+\/nowhere: database "nowhere" does not exist\. Create it/,
  ],
  [{ password: 'secret-and-wrong' }, /password authentication failed.* Check the user and the password/],
])(
  'a connection that fails is an error with the variable, the address and the remedy: %j',
  async (changes, message) => {
    const error = await requireUsableDatabase(urlWith(changes)).catch((error: Error) => error)
    expect(String(error)).toMatch(/^Error: DATABASE_URL: /)
    expect(String(error)).toMatch(message)
    expect(String(error)).not.toContain('secret-and-wrong')
  },
)

test('a server that does not listen is named with its port', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = String(typeof address === 'object' ? address?.port : '')
  server.close()
  await expect(requireUsableDatabase(urlWith({ port }))).rejects.toThrow(
    new RegExp(`127\\.0\\.0\\.1:${port}/.*ECONNREFUSED.* Is PostgreSQL running there`),
  )
})

test('a role without the rights to make tables is told the statements that give them', async () => {
  const url = urlWith({ username: 'limited', password: 'limited' })
  await run(database.url, 'alter schema pgboss rename to other')
  await expect(requireUsableDatabase(url)).rejects.toThrow(`GRANT CREATE ON DATABASE "${name}" TO "limited"`)
  await run(database.url, `grant create on database "${name}" to limited`)
  await expect(requireUsableDatabase(url)).rejects.toThrow('GRANT CREATE ON SCHEMA public TO "limited"')
  await run(database.url, 'grant create on schema public to limited')
  await requireUsableDatabase(url)
  await run(database.url, 'alter schema other rename to pgboss')
})

test('a pooler in transaction mode is refused, with what to use instead', async () => {
  const pooler = await startTransactionPooler(database.url)
  await expect(requireUsableDatabase(pooler.url)).rejects.toThrow(
    /pooler in transaction mode.* Use pool_mode = session/,
  )
  await pooler.close()
})
