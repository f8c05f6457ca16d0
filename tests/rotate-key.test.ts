import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { finishRotation, rotateKey } from '../server/src/store/core/rotate-key.ts'
import { makeSecretBox, tryOpen } from '../server/src/store/core/secret-box.ts'
import { keyOf } from '../server/src/store/core/secret-key.ts'
import { query, until } from './harness/following.ts'
import { checkedClient, type Harness, harness, type Person, project, resource, trigger } from './harness/index.ts'

const [oldText, nextText, thirdText] = ['old ', 'new ', 'third '].map((word) => word.repeat(10)) as [
  string,
  string,
  string,
]
const [old, next, third] = [oldText, nextText, thirdText].map(keyOf) as [Buffer, Buffer, Buffer]
const quiet = { log: () => {}, untilKnown: async () => {} }
let house: Harness
let ann: Person

beforeAll(async () => {
  house = await harness({ SECRET_KEY: oldText })
  ann = await house.person('ann')
  await ann.saveWorkspace({ fullname: 'acme', body: { fullname: 'acme' } })
  await ann.saveProject({ fullname: 'acme.p', body: project('acme.p') })
  for (let at = 0; at < 3; at += 1) await saveHook(`hook-${at}`)
  await ann.saveTrigger({ fullname: 'acme.p.t', body: trigger('acme.p.t') })
})
afterAll(async () => {
  await house?.close()
})

const urlOf = (name: string) => `https://example.org/${name}?key=secret`
const saveHook = (name: string) =>
  ann.saveResource({ fullname: `acme.${name}`, body: resource(`acme.${name}`, { data: { url: urlOf(name) } }) })
const hookUrl = async (client: Pick<Person, 'getResource'>, name: string) =>
  (await client.getResource({ fullname: `acme.${name}` })).data?.url

/** The key with which each sealed value of the store is sealed. */
async function sealedWith(): Promise<Record<'old' | 'next' | 'third' | 'none', number>> {
  const columns = await query<{ table: string; column: string }>(
    house,
    `select table_name as table, column_name as column from information_schema.columns where table_schema = 'public'
      and data_type = 'bytea' and column_name not like '%hash' and (table_name, column_name) <> ('images', 'bytes')`,
  )
  const counts = { old: 0, next: 0, third: 0, none: 0 }
  for (const { table, column } of columns)
    for (const { value } of await query<{ value: Buffer }>(
      house,
      `select "${column}" as value from "${table}" where "${column}" is not null`,
    )) {
      const [name = 'none' as const] = (['old', 'next', 'third'] as const).filter(
        (each) => tryOpen({ old, next, third }[each], value) !== undefined,
      )
      counts[name] += 1
    }
  return counts
}

/** Resolves when the running service seals with this key. */
async function untilSealing(key: Buffer): Promise<void> {
  await until(
    async () => {
      await saveHook('probe')
      const rows = await query<{ data: Buffer }>(house, `select data from resources where fullname = 'acme.probe'`)
      return tryOpen(key, rows[0]?.data ?? Buffer.alloc(0)) !== undefined
    },
    (isSealing) => isSealing,
  )
}

test('a rotation that is killed in the middle loses nothing, and the next one completes it', async () => {
  const killed = new Error('killed')
  const log = () => {
    throw killed
  }
  await expect(rotateKey(house.databaseUrl, { old, next }, { log, untilKnown: () => untilSealing(next) })).rejects.toBe(
    killed,
  )
  const between = await sealedWith()
  expect([between.old > 0, between.next > 0, between.none]).toEqual([true, true, 0])
  expect(await hookUrl(ann, 'hook-0')).toBe(urlOf('hook-0'))
  // A process that starts now can have either key.
  for (const SECRET_KEY of [oldText, nextText]) {
    const other = await harness({ SECRET_KEY, DATABASE_URL: house.databaseUrl })
    expect(await hookUrl(checkedClient(other.url, ann.token), 'hook-1')).toBe(urlOf('hook-1'))
    await other.close()
  }
  await expect(rotateKey(house.databaseUrl, { old, next: third }, quiet)).rejects.toThrow('rotation to another key')
  await expect(finishRotation(house.databaseUrl, next)).rejects.toThrow('not complete')
  await rotateKey(house.databaseUrl, { old, next }, quiet)
  expect(await sealedWith()).toMatchObject({ old: 0, third: 0, none: 0 })
})

test('the service goes on with the new key, and finishing ends the old one', async () => {
  await expect(finishRotation(house.databaseUrl, old)).rejects.toThrow('still has the old key')
  expect(await finishRotation(house.databaseUrl, next)).toBe('finished')
  expect(await finishRotation(house.databaseUrl, next)).toBe('none')
  expect(await hookUrl(ann, 'hook-2')).toBe(urlOf('hook-2'))
  await expect(harness({ SECRET_KEY: oldText, DATABASE_URL: house.databaseUrl })).rejects.toThrow('another key')
})

test('signatures stay valid over rotations', async () => {
  const link = house.service.store.signatures.sign('unsubscribe', 'sub')
  expect(link).toBe(`sub.${makeSecretBox(old).sign('unsubscribe', 'sub')}`)
  await rotateKey(house.databaseUrl, { old: next, next: third }, { ...quiet, untilKnown: () => untilSealing(third) })
  expect(await finishRotation(house.databaseUrl, third)).toBe('finished')
  const moved = await harness({ SECRET_KEY: thirdText, DATABASE_URL: house.databaseUrl })
  expect(moved.service.store.signatures.open('unsubscribe', link)).toBe('sub')
  expect(await hookUrl(checkedClient(moved.url, ann.token), 'hook-0')).toBe(urlOf('hook-0'))
  await moved.close()
})

test('a wrong key is refused before anything changes', async () => {
  const wrong = createHash('sha256').update('wrong').digest()
  await expect(rotateKey(house.databaseUrl, { old: wrong, next }, quiet)).rejects.toThrow('another key')
  expect(await sealedWith()).toMatchObject({ old: 0, next: 0, none: 0 })
})
