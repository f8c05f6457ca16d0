import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@tocsin/sdk'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { tryOpen } from '../../server/src/store/core/secret-box.ts'
import { keyOf } from '../../server/src/store/core/secret-key.ts'
import { type TestDatabase, takeDatabase } from '../harness/database.ts'
import { until } from '../harness/following.ts'
import { resource } from '../harness/index.ts'
import { killHard, type Running, spawnScript, startProcess } from '../harness/process.ts'

const token = 'kill-rotation-token-of-more-than-32-characters'
const hooks = Array.from({ length: 20 }, (_, at) => `hook-${at}`)
let folder: string
let database: TestDatabase
let holder: pg.Client
/** Looks at the sessions. PostgreSQL shows a transaction, such as the holder's, the same sessions until it ends. */
let watcher: pg.Client
let running: Running
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tocsin-kill-rotation-'))
  database = await takeDatabase()
  holder = new pg.Client(database.url)
  watcher = new pg.Client(database.url)
  await Promise.all([holder.connect(), watcher.connect()])
  running = await start()
  for (const name of hooks) await saveHook(name)
}, 240_000)
afterAll(async () => {
  if (running) await killHard(running)
  await holder?.end()
  await watcher?.end()
  await database?.giveBack()
  rmSync(folder, { recursive: true, force: true })
})

const start = () =>
  startProcess(folder, { DATABASE_URL: database.url, ADMIN_TOKEN: token, RATE_ACCOUNT_PER_MINUTE: '1000000' })
const client = () => createClient({ baseUrl: running.url, token, retries: 0 })
const urlOf = (name: string) => `https://example.org/${name}?key=secret`
const saveHook = (name: string) =>
  client().saveResource({ fullname: `admin.${name}`, body: resource(`admin.${name}`, { data: { url: urlOf(name) } }) })
const readHooks = async () => {
  const found = await Promise.all(hooks.map((name) => client().getResource({ fullname: `admin.${name}` })))
  return found.map(({ data }) => data?.url)
}

function rotate(...args: string[]) {
  const child = spawnScript('server/src/rotate-key.ts', args, { DATABASE_URL: database.url, DATA_DIR: folder })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk
    })
  const exited = new Promise<number | null>((done) => child.once('exit', (code) => done(code)))
  return { child, exited, output: () => output }
}

/** Saves and reads secrets through the service until `stop`, which fails if one of them was not right. */
function useService(): { stop(): Promise<void> } {
  const end = new AbortController()
  const used = (async () => {
    while (!end.signal.aborted) {
      await saveHook('probe')
      expect(await readHooks()).toEqual(hooks.map(urlOf))
    }
  })()
  used.catch(() => {})
  return {
    stop: () => {
      end.abort()
      return used
    },
  }
}

/** A lock that stops the rotation at a known place, and the statement that waits there. */
const places = [
  {
    at: 'before it stores the rotation',
    lock: 'lock table settings in exclusive mode',
    waits: 'insert into settings%',
  },
  {
    at: 'while it seals',
    lock: `select 1 from resources where fullname = 'admin.hook-7' for update`,
    waits: 'update "resources"%',
  },
  {
    at: 'before it replaces the check of the key',
    lock: `select 1 from settings where key = 'secret_key_check' for update`,
    waits: 'insert into settings%',
  },
]

async function killRotationAt({ lock, waits }: (typeof places)[number]): Promise<void> {
  await holder.query(`begin; ${lock}`)
  const rotation = rotate()
  const waiting = () =>
    watcher.query(
      `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like $1`,
      [waits],
    )
  const ended = rotation.exited.then((code) => {
    throw new Error(`the rotation ended with ${code}: ${rotation.output()}`)
  })
  ended.catch(() => {})
  await Promise.race([until(waiting, ({ rowCount }) => rowCount === 1, 120_000), ended])
  rotation.child.kill('SIGKILL')
  await rotation.exited
  await holder.query('rollback')
}

test('a rotation that is killed anywhere, also with the service, loses no secret, and the next one completes it', {
  timeout: 600_000,
}, async () => {
  const oldKey = keyOf(readFileSync(join(folder, 'secret.key'), 'utf8'))
  for (const place of places) {
    const use = useService()
    await killRotationAt(place)
    await use.stop()
    await killHard(running)
    running = await start()
    expect(await readHooks(), place.at).toEqual(hooks.map(urlOf))
  }
  const use = useService()
  const rotation = rotate()
  expect([await rotation.exited, rotation.output()]).toEqual([0, expect.stringContaining('sealed with the new key in')])
  const finishing = rotate('--finish')
  expect([await finishing.exited, finishing.output()]).toEqual([0, expect.stringContaining('no longer holds')])
  await use.stop()
  expect(existsSync(join(folder, 'secret.key.next'))).toBe(false)
  const key = keyOf(readFileSync(join(folder, 'secret.key'), 'utf8'))
  const { rows } = await holder.query<{ data: Buffer }>('select data from resources where data is not null')
  expect(rows.map(({ data }) => [tryOpen(oldKey, data) !== undefined, tryOpen(key, data) !== undefined])).toEqual(
    rows.map(() => [false, true]),
  )
  await killHard(running)
  running = await start()
  expect(await readHooks()).toEqual(hooks.map(urlOf))
})
