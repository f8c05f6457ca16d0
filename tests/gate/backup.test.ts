import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { restoreBackup, writeBackup } from '../../server/src/store/archive/backup.ts'
import { takeDatabase } from '../harness/database.ts'
import { checkedClient, type Harness, harness, type Person, project, resource, trigger } from '../harness/index.ts'

const variables = { SECRET_KEY: 'backup '.repeat(6) }
const work = mkdtempSync(join(tmpdir(), 'tocsin-backup-'))
const file = join(work, 'monday.tar.gz')
const sign = (text: string) => `signed ${text.length}`
let house: Harness
let ann: Person

beforeAll(async () => {
  house = await harness(variables)
  ann = await house.person('ann')
  await ann.saveWorkspace({ fullname: 'acme', body: { fullname: 'acme' } })
  await ann.saveProject({ fullname: 'acme.p', body: project('acme.p') })
  await ann.saveResource({ fullname: 'acme.hook', body: resource('acme.hook') })
  await ann.saveTrigger({ fullname: 'acme.p.t', body: trigger('acme.p.t') })
})
afterAll(async () => {
  await house?.close()
  rmSync(work, { recursive: true, force: true })
})

test('a backup of a running service is checked by restoring it, and restores into an empty store', async () => {
  // Rows of many sizes with gaps: PostgreSQL puts restored rows wherever a page has room, in another order.
  await house.database.query(`
    insert into audit_entries (id, workspace_id, at, actor_id, actor_name, action, fullname, paths, ip)
    select 'e' || n, w.id, now(), 'a', 'a', 'trigger.save', left(repeat(md5(n::text), 60), n * 733 % 1900), '{}', ''
      from workspaces w, generate_series(1, 600) n where w.fullname = 'acme'`)
  await house.database.query("delete from audit_entries where id like 'e%' and seq % 2 = 0")
  const lines: string[] = []
  await writeBackup(house.databaseUrl, file, { log: (line) => lines.push(line), sign, check: true })
  expect(lines.at(-1)).toContain('every table is the same')
  expect([readdirSync(work), statSync(file).mode & 0o077]).toEqual([['monday.tar.gz'], 0])
  const target = await takeDatabase()
  await restoreBackup(target.url, file, { log: () => {}, sign })
  const moved = await harness({ ...variables, DATABASE_URL: target.url })
  const there = checkedClient(moved.url, ann.token)
  expect(await there.getTrigger({ fullname: 'acme.p.t' })).toEqual(await ann.getTrigger({ fullname: 'acme.p.t' }))
  // The data of a resource is sealed.
  expect(await there.getResource({ fullname: 'acme.hook' })).toEqual(await ann.getResource({ fullname: 'acme.hook' }))
  await moved.close()
  await target.giveBack()
})

test('a backup that cannot be restored leaves no file', async () => {
  let signed = 0
  const changing = () => `signature ${signed++}`
  const other = join(work, 'other.tar.gz')
  await expect(writeBackup(house.databaseUrl, other, { log: () => {}, sign: changing, check: true })).rejects.toThrow(
    'was changed',
  )
  expect(readdirSync(work)).toEqual(['monday.tar.gz'])
})

test('a backup is never overwritten, and a damaged one is refused before anything is written', async () => {
  const options = { log: () => {}, sign, check: false }
  await expect(writeBackup(house.databaseUrl, file, options)).rejects.toThrow('is there already')
  const damaged = join(work, 'damaged.tar.gz')
  const bytes = readFileSync(file)
  writeFileSync(damaged, bytes.subarray(0, bytes.length / 2))
  await expect(restoreBackup(house.databaseUrl, damaged, options)).rejects.toThrow('is not a backup, or it is damaged')
  expect(readdirSync(work).toSorted()).toEqual(['damaged.tar.gz', 'monday.tar.gz'])
})
