import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { expect, inject, test } from 'vitest'
import { lookUntil, patienceMs } from '../../../tests/harness/look-until.ts'
import { migrate } from './core/migrate.ts'
import { makeSecretBox } from './core/secret-box.ts'
import { readSecretKey, requireRightKey } from './core/secret-key.ts'
import { openStore } from './index.ts'

const box = makeSecretBox(Buffer.alloc(32, 7))

async function emptyDatabase(work: (url: string) => Promise<void>): Promise<void> {
  const name = `tocsin_store_${Math.random().toString(36).slice(2)}`
  const admin = new pg.Client({ connectionString: inject('postgresUrl') })
  await admin.connect()
  await admin.query(`create database ${name}`)
  const url = new URL(inject('postgresUrl'))
  url.pathname = `/${name}`
  await work(url.href).finally(async () => {
    await admin.query(`drop database ${name} with (force)`)
    await admin.end()
  })
}

test('processes that start together migrate once', () =>
  emptyDatabase(async (url) => {
    await Promise.all([migrate(url), migrate(url), migrate(url), migrate(url)])
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    const { rows } = await client.query('select name from kysely_migration')
    const files = readdirSync(new URL('migrations', import.meta.url)).sort()
    expect(rows).toEqual(files.map((file) => ({ name: file.replace(/\.ts$/, '') })))
    await client.end()
  }))

test('a migration gives way to a transaction that uses the tables, and both succeed', () =>
  emptyDatabase(async (url) => {
    await migrate(url, '0005-alerts-and-deliveries')
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query('begin; select * from triggers')
    const migrated = migrate(url)
    const isWaiting = async () =>
      (await client.query("select 1 from pg_locks where not granted and mode = 'AccessExclusiveLock'")).rowCount === 1
    await lookUntil(isWaiting, Boolean, patienceMs)
    // This order of locks would be a deadlock if the migration waited.
    await client.query('select * from accounts')
    await client.query('commit')
    await migrated
    await client.end()
  }))

test('row counts are estimated from statistics if PostgreSQL has them', () =>
  emptyDatabase(async (url) => {
    await migrate(url)
    const store = openStore(url, box, { connectionsMax: 2 })
    const tables = ['accounts', 'settings']
    expect(await store.quotas.estimateRows(tables)).toBeUndefined()
    for (const name of ['ann', 'ben', 'eve'])
      await store.accounts.add({ email: `${name}@example.org`, name, passwordHash: null, at: new Date() })
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query('analyze accounts, settings')
    expect(await store.quotas.estimateRows(tables)).toBe(3)
    await client.end()
    await store.close()
  }))

test('a schema of newer code is refused and not changed', () =>
  emptyDatabase(async (url) => {
    await migrate(url)
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query("insert into kysely_migration values ('9999-future', '2030-01-01')")
    await client.end()
    await expect(migrate(url)).rejects.toThrow(/newer version .*9999-future/)
  }))

test('a store whose secrets were sealed with another key is refused', () =>
  emptyDatabase(async (url) => {
    await migrate(url)
    const store = openStore(url, box, { connectionsMax: 2 })
    await requireRightKey(store, box)
    await requireRightKey(store, box)
    await expect(requireRightKey(store, makeSecretBox(Buffer.alloc(32, 8)))).rejects.toThrow(/another key/)
    await store.close()
  }))

test('a failed transaction writes nothing, and a failed savepoint rolls back only its own writes', () =>
  emptyDatabase(async (url) => {
    await migrate(url)
    const store = openStore(url, box, { connectionsMax: 2 })
    await expect(
      store.tx(async (store) => {
        await store.settings.addOnce('lost', '1')
        throw new Error('no')
      }),
    ).rejects.toThrow('no')
    await store.tx(async (store) => {
      await store.settings.addOnce('kept', '1')
      await store
        .tx(async (store) => {
          await store.settings.addOnce('undone', '1')
          throw new Error('inner')
        })
        .catch(() => undefined)
    })
    expect([
      await store.settings.find('lost'),
      await store.settings.find('kept'),
      await store.settings.find('undone'),
    ]).toEqual([undefined, '1', undefined])
    await store.close()
  }))

test('the key file is created once, readable only by its owner', () =>
  emptyDatabase(async (url) => {
    await migrate(url)
    const folder = mkdtempSync(join(tmpdir(), 'tocsin-key-'))
    const read = (given?: string) => readSecretKey(given, folder, url)
    const key = await read()
    expect(await read()).toEqual(key)
    expect(statSync(join(folder, 'secret.key')).mode & 0o777).toBe(0o600)
    writeFileSync(join(folder, 'secret.key'), 'another key altogether, long enough')
    expect(await read()).not.toEqual(key)
    expect(await read('from the environment, long enough')).not.toEqual(key)
    writeFileSync(join(folder, 'secret.key'), '')
    await expect(read()).rejects.toThrow(/key file .* is empty/)
  }))

test('a lost key file is not replaced while the store holds secrets', () =>
  emptyDatabase(async (url) => {
    await migrate(url)
    const folder = mkdtempSync(join(tmpdir(), 'tocsin-key-'))
    const store = openStore(url, makeSecretBox(await readSecretKey(undefined, folder, url)), { connectionsMax: 2 })
    await requireRightKey(store, makeSecretBox(await readSecretKey(undefined, folder, url)))
    await store.close()
    rmSync(join(folder, 'secret.key'))
    await expect(readSecretKey(undefined, folder, url)).rejects.toThrow(/key file .* is missing/)
    expect(readdirSync(folder)).toEqual([])
  }))

test('a store that cannot write reports that it is not ready', () =>
  emptyDatabase(async (url) => {
    const store = openStore(url, box, { connectionsMax: 2 })
    await store.requireWritable()
    await store.close()
    await withoutTemporaryFiles(url)
    const full = openStore(url, box, { connectionsMax: 2 })
    await expect(full.requireWritable()).rejects.toThrow(/temp_file_limit/)
    await full.close()
  }))

/** What a full disk does to a database, as far as a limit can do it. */
async function withoutTemporaryFiles(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`alter database ${client.database} set temp_file_limit = 0`)
  await client.end()
}

test('encrypted data decrypts again, and fails with one changed byte', () => {
  const sealed = box.seal('secret')
  expect(sealed.toString('latin1')).not.toContain('secret')
  expect(box.open(sealed)).toBe('secret')
  sealed[sealed.length - 1] = (sealed.at(-1) ?? 0) ^ 1
  expect(() => box.open(sealed)).toThrow()
})
