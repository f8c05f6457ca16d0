import { createHash } from 'node:crypto'
import {
  appendFileSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeSecretBox } from '../core/secret-box.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../embedded/index.ts'
import { exportArchive } from './export-archive.ts'
import { importArchive } from './import-archive.ts'

const work = mkdtempSync(join(tmpdir(), 'tocsin archive '))
let server: EmbeddedPostgres
beforeAll(async () => {
  server = await startEmbeddedPostgres(join(work, 'data'))
})
afterAll(async () => {
  await server.stop()
  rmSync(work, { recursive: true, force: true })
})

const silent = { log: () => {} }

const schema = `
  create table kysely_migration (name text primary key, timestamp text not null);
  insert into kysely_migration values ('0001-first', '2026-01-01T00:00:00.000Z');
  create type mood as enum ('calm', 'loud');
  create table people (
    id bigint generated always as identity primary key, name text not null, boss bigint references people,
    favourite bigint, upper_name text generated always as (upper(name)) stored
  );
  create table things (
    id serial primary key, owner bigint not null references people deferrable, "odd ""Name" text,
    amount numeric, ratio float8, raw bytea, at timestamptz, day date, span interval, doc json, docb jsonb, tags text[],
    mood mood, wei numeric(78, 0), uid uuid
  );
  alter table people add constraint favourite_fk foreign key (favourite) references things;
  create table events (id int, at timestamptz) partition by range (at);
  create table events_2026 partition of events for values from ('2026-01-01') to ('2027-01-01');
  create function forbid() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$;
`

const rows = `
  insert into people (name, boss) select 'person ' || n, case when n < 3000 then n + 1 end from generate_series(1, 3000) n;
  insert into things (owner, "odd ""Name", amount, ratio, raw, at, day, span, doc, docb, tags, mood, wei, uid) values
    (1, E'quote " back \\\\ new\\nline \\u2028 sep \\r tab\\t', 'NaN', 'infinity', '\\x00ff10', 'infinity', '0044-03-15 BC',
      '-1 mon +2 days -03:04:05.678', '{"a" : 1,  "a": 1e400}', 'null', array['a,b', null, '"'], 'loud',
      115792089237316195423570985008687907853269984665640564039457584007913129639935, '0191d0a0-0000-7000-8000-000000000001'),
    (2, null, 0.1000000000000000000000000000000000001, 0.1::float8 + 0.2::float8, '', '2026-11-15 02:44:57.123456+00',
      null, null, null, '{"n": 12345678901234567890.10}', '{}', null, null, null);
  update people set favourite = 1 where id = 1;
  insert into events values (1, '2026-05-05'), (2, '2026-06-06');
`

const everything = `select 'people' as t, p::text as row from people p union all select 'things', t::text from things t
  union all select 'events', e::text from events e union all select 'migration', m::text from kysely_migration m order by 1, 2`

test('every value comes back exactly, with identities, sequences, circular references and generated columns', async () => {
  const [from, to] = [await makeDatabase('whole_from', schema + rows), await makeDatabase('whole_to', schema)]
  const folder = join(work, 'whole')
  await exportArchive(from, folder, silent)
  await importArchive(to, folder, silent)
  expect(await query(to, everything)).toEqual(await query(from, everything))
  expect(await query(to, `insert into people (name) values ('next') returning id, upper_name`)).toEqual([
    { id: '3001', upper_name: 'NEXT' },
  ])
  expect(await query(to, 'insert into things (owner) values (1) returning id')).toEqual([{ id: 3 }])
  await expect(query(to, 'insert into things (owner) values (99999)')).rejects.toThrow(/foreign key/)
})

test('the owner of the tables imports without being a superuser, and triggers do not fire', async () => {
  const trigger = 'create trigger forbid before insert on events for each row execute function forbid();'
  const from = await makeDatabase('owner_from', schema + rows + trigger)
  const to = await makeDatabase('owner_to', '', 'plain')
  await query(to, schema + trigger)
  const folder = join(work, 'owner')
  await exportArchive(from, folder, silent)
  await importArchive(to, folder, silent)
  expect(await query(to, everything)).toEqual(await query(from, everything))
  await expect(query(to, `insert into events values (3, '2026-07-07')`)).rejects.toThrow('no')
})

test('the archive is one consistent snapshot, and only the owner may read it', async () => {
  const from = await makeDatabase('moment', schema + rows)
  const folder = join(work, 'moment')
  const log = (line: string) => {
    if (line.startsWith('events')) void query(from, `insert into people (name) values ('late')`)
  }
  await exportArchive(from, folder, { log })
  const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'))
  expect(manifest.tables.find((table: { name: string }) => table.name === 'people').rows).toBe(3000)
  expect(manifest.migration).toBe('0001-first')
  expect(statSync(folder).mode & 0o777).toBe(0o700)
  expect(statSync(join(folder, 'people.jsonl')).mode & 0o777).toBe(0o600)
})

test('a failed export leaves no files, and an export never overwrites one', async () => {
  const folder = join(work, 'failed')
  await expect(exportArchive(`${server.url}_missing`, folder, silent)).rejects.toThrow(/does not exist/)
  expect(existsSync(folder)).toBe(false)
  await expect(exportArchive(server.url, work, silent)).rejects.toThrow(/not empty/)
})

test.runIf(process.platform === 'linux')('a query that fails leaves no file open', async () => {
  const from = await makeDatabase('unreadable', '', 'reader')
  await query(from, `${schema} ${rows} revoke select on things from reader`)
  const folder = join(work, 'unreadable')
  await expect(exportArchive(from, folder, silent)).rejects.toThrow(/permission denied/)
  expect(existsSync(folder)).toBe(false)
  expect(openFiles().filter((file) => file.startsWith(folder))).toEqual([])
})

test('a used database, another schema, a damaged or foreign folder are refused, and change nothing', async () => {
  const from = await makeDatabase('refuse_from', schema + rows)
  const folder = join(work, 'refuse')
  await exportArchive(from, folder, silent)
  await expect(importArchive(from, folder, silent)).rejects.toThrow(/not empty: events has rows/)

  const newer = await makeDatabase('refuse_newer', `${schema} insert into kysely_migration values ('0002-next', '')`)
  await expect(importArchive(newer, folder, silent)).rejects.toThrow(
    /at migration 0001-first, the database is at 0002-next/,
  )
  const other = await makeDatabase('refuse_other', `${schema} alter table events add column more text`)
  await expect(importArchive(other, folder, silent)).rejects.toThrow(/other tables or columns/)
  await expect(importArchive(from, work, silent)).rejects.toThrow(/is not an archive/)

  appendFileSync(join(folder, 'people.jsonl'), '{}\n')
  const empty = await makeDatabase('refuse_empty', schema)
  await expect(importArchive(empty, folder, silent)).rejects.toThrow(/damaged: people.jsonl/)
  writeFileSync(join(folder, 'manifest.json'), '{"format": 99}')
  await expect(importArchive(empty, folder, silent)).rejects.toThrow(/format that this version does not read/)
  expect(await query(empty, 'select count(*)::int as n from people')).toEqual([{ n: 0 }])
})

test('a modified archive is refused, even if its checksums were changed to fit', async () => {
  const from = await makeDatabase('signed_from', schema + rows)
  const to = await makeDatabase('signed_to', schema)
  const folder = join(work, 'signed')
  const box = (byte: number) => ({
    ...silent,
    sign: (text: string) => makeSecretBox(Buffer.alloc(32, byte)).sign('archive', text),
  })
  await exportArchive(from, folder, box(1))
  await expect(importArchive(to, folder, box(2))).rejects.toThrow(/was changed, or was exported with another key/)

  const [people, manifest] = [join(folder, 'people.jsonl'), join(folder, 'manifest.json')]
  const [before, after] = [readFileSync(people, 'utf8'), readFileSync(people, 'utf8').replace('person 7"', 'person x"')]
  const sum = (text: string) => createHash('sha256').update(text).digest('hex')
  const text = readFileSync(manifest, 'utf8')
  writeFileSync(people, after)
  writeFileSync(manifest, text.replace(sum(before), sum(after)))
  await expect(importArchive(to, folder, box(1))).rejects.toThrow(/was changed/)
  writeFileSync(people, before)
  writeFileSync(manifest, text)
  await importArchive(to, folder, box(1))
  expect(await query(to, everything)).toEqual(await query(from, everything))
})

test('an archive without its signature or with a missing file is refused with a clear message', async () => {
  const folder = join(work, 'lacking')
  await exportArchive(await makeDatabase('lacking_from', schema + rows), folder, silent)
  const to = await makeDatabase('lacking_to', schema)
  await expect(importArchive(to, folder, { ...silent, sign: () => 'x' })).rejects.toThrow(/is not signed/)
  rmSync(join(folder, 'people.jsonl'))
  await expect(importArchive(to, folder, silent)).rejects.toThrow('The archive is incomplete: people.jsonl is missing.')
})

test('a row that breaks a reference undoes the whole import', async () => {
  const loose = schema.replace('references people deferrable', '')
  const from = await makeDatabase('broken_from', `${loose} insert into things (owner) values (77);`)
  const to = await makeDatabase('broken_to', schema)
  const folder = join(work, 'broken')
  await exportArchive(from, folder, silent)
  await expect(importArchive(to, folder, silent)).rejects.toThrow(/foreign key/)
  expect(await query(to, 'select count(*)::int as n from things')).toEqual([{ n: 0 }])
})

/** The files that this process has open, also deleted ones. */
function openFiles(): string[] {
  // The descriptor that read the folder itself is closed by now.
  const links = readdirSync('/proc/self/fd').map((name) => join('/proc/self/fd', name))
  return links.filter((link) => lstatSync(link, { throwIfNoEntry: false })).map((link) => readlinkSync(link))
}

/** A database of its own; for a named role, one that it owns and signs in to with that name. */
async function makeDatabase(name: string, sql: string, role?: string): Promise<string> {
  if (role) await query(server.url, `create role ${role} login password '${role}'`)
  await query(server.url, `create database ${name} ${role ? `owner ${role}` : ''}`)
  const url = new URL(server.url)
  url.pathname = name
  if (role) Object.assign(url, { username: role, password: role })
  if (sql) await query(url.href, sql)
  return url.href
}

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(sql)).rows ?? []
  } finally {
    await client.end()
  }
}
