import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Client, ConnectionError, createClient } from '@tocsin/sdk'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectEmbedded } from '../../server/src/store/embedded/index.ts'
import { isAlive } from '../../server/src/store/embedded/process-identity.ts'
import { killHard, postmasterPid, type Running, spawnScript, startProcess } from '../harness/process.ts'
import { seedOf } from '../harness/seed-of.ts'

/** KILL_ROUNDS sets the number of rounds, KILL_SEED the moments of the kills. */
const rounds = Number(process.env.KILL_ROUNDS ?? 10)
const seed = seedOf('KILL_SEED')
const writers = 4
const token = 'kill-test-token-of-more-than-32-characters'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tocsin kill '))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('kill -9', () => {
  test(`while saving in a loop loses no acknowledged save, and the next start needs no repair (KILL_SEED=${seed})`, {
    timeout: 3_600_000,
  }, async () => {
    const data = join(folder, 'saving')
    const random = mulberry(seed)
    const acknowledged = new Array<number>(writers).fill(0)
    let running = await start(data)
    for (let round = 0; round < rounds; round++) {
      const killed = everySaved(acknowledged)
        .then(() => after(50 + random() * 500))
        .then(() => kill(running, data, round))
      await Promise.all(acknowledged.map((_, writer) => saveUntilGone(clientOf(running), writer, acknowledged)))
      await killed
      running = await start(data)
      expect(await savedNumbers(clientOf(running))).toSatisfy((saved: number[]) =>
        saved.every((number, writer) => number >= (acknowledged[writer] ?? 0)),
      )
    }
    await stop(running)
  })
})

test('a PostgreSQL that is killed under a running service comes back, and so does the service', async () => {
  const data = join(folder, 'bereft')
  const running = await start(data)
  const client = clientOf(running)
  await client.saveWorkspace({ fullname: 'before', body: { fullname: 'before' } })
  process.kill(postmasterPid(data), 'SIGKILL')
  await savedAgain(client)
  expect((await client.listWorkspaces()).map(({ fullname }) => fullname)).toEqual(['admin', 'after', 'before'])
  await stop(running)
})

test('a service continues if its PostgreSQL is killed before it forgot the printed token', async () => {
  const data = join(folder, 'bereft at once')
  await killHard(await start(data))
  // The killed service left its PostgreSQL. From now on a deletion of settings takes five seconds.
  const database = new pg.Client({ connectionString: await connectEmbedded(data) })
  await database.connect()
  await database.query(`create function wait() returns trigger language plpgsql as 'begin perform pg_sleep(5); return null; end';
    create trigger wait before delete on settings execute function wait()`)
  await database.end()
  const running = await start(data)
  process.kill(postmasterPid(data), 'SIGKILL')
  await savedAgain(clientOf(running))
  await stop(running)
})

/** Saves until a save succeeds; a service that ended would never save again. */
async function savedAgain(client: Client): Promise<void> {
  const save = () =>
    client.saveWorkspace({ fullname: 'after', body: { fullname: 'after' } }).then(
      () => true,
      () => false,
    )
  while (!(await save())) await after(50)
}

describe('stopping', () => {
  test('SIGTERM finishes the open request, then ends the service and its PostgreSQL', async () => {
    const data = join(folder, 'stopping')
    const running = await start(data)
    const pid = postmasterPid(data)
    const body = JSON.stringify({ email: 'slow@example.org', password: 'a long enough one', name: 'Slow' })
    const slow = await begin(`${running.url}/api/auth/sign-up`, body)
    running.child.kill('SIGTERM')
    await refusedConnections(running.url)
    expect(await slow.finish()).toBe(200)
    expect(await running.exited).toBe(0)
    // A process that has ended but was not reaped still has its pid.
    expect(isAlive(pid)).toBe(false)
    expect(running.output).not.toContain(token)
  })

  test('a second SIGTERM does not interrupt the stop, and PostgreSQL ends too', async () => {
    const data = join(folder, 'told-twice')
    const running = await start(data)
    const pid = postmasterPid(data)
    const body = JSON.stringify({ email: 'slow@example.org', password: 'a long enough one', name: 'Slow' })
    const slow = await begin(`${running.url}/api/auth/sign-up`, body)
    running.child.kill('SIGTERM')
    await refusedConnections(running.url)
    running.child.kill('SIGTERM')
    running.child.kill('SIGHUP')
    expect(await slow.finish()).toBe(200)
    expect(await running.exited).toBe(0)
    expect(isAlive(pid)).toBe(false)
  })

  test('SIGTERM while the service starts ends it and its PostgreSQL', async () => {
    const data = join(folder, 'starting')
    const child = spawnScript('server/src/main.ts', [], { DATA_DIR: data, LOG_LEVEL: 'error', PORT: '0' })
    const exited = once(child, 'exit')
    while (!existsSync(join(data, 'postgres/cluster/postmaster.pid'))) await after(5)
    child.kill('SIGTERM')
    expect(await exited).toEqual([0, null])
    expect(existsSync(join(data, 'postgres/cluster/postmaster.pid'))).toBe(false)
  })

  test('an export whose output is closed leaves no archive and no PostgreSQL, and fails', async () => {
    const data = join(folder, 'exported')
    expect(await stop(await start(data))).toBe(0)
    const child = spawnScript('server/src/export.ts', [join(folder, 'archive')], { DATA_DIR: data })
    let complaint = ''
    child.stderr.on('data', (chunk) => (complaint += chunk))
    // After this event, all of stderr has been read.
    const exited = once(child, 'close')
    await once(child.stdout, 'data')
    child.stdout.destroy()
    expect(await exited).toEqual([1, null])
    expect(complaint).toBe('The output was closed before the work was done.\n')
    expect(existsSync(join(data, 'postgres/cluster/postmaster.pid'))).toBe(false)
    expect(readdirSync(folder).filter((name) => name.startsWith('archive'))).toEqual([])
  })

  test('a second service on the same data folder is refused with a clear message', async () => {
    const data = join(folder, 'twice')
    const running = await start(data)
    await expect(start(data)).rejects.toThrow(/data folder .*(in use|another)/i)
    expect(await clientOf(running).getReady()).toMatchObject({ status: 'ok' })
    await stop(running)
  })

  test('a wrong variable is named, and nothing is started', async () => {
    await expect(startProcess(join(folder, 'wrong'), { PORT: 'many' })).rejects.toThrow(/PORT: /)
  })
})

function start(data: string): Promise<Running> {
  return startProcess(data, { ADMIN_TOKEN: token, RATE_ACCOUNT_PER_MINUTE: '1000000' })
}

function clientOf(running: Running): Client {
  return createClient({ baseUrl: running.url, token, retries: 0 })
}

/** Waits for a first save, because a round without a save proves nothing. */
async function everySaved(acknowledged: readonly number[]): Promise<void> {
  while (Math.min(...acknowledged) === 0) await after(20)
}

/** In every other round PostgreSQL is killed with the service; otherwise it keeps running and is adopted. */
async function kill(running: Running, data: string, round: number): Promise<void> {
  const pid = postmasterPid(data)
  await killHard(running)
  if (round % 2 === 1) process.kill(pid, 'SIGKILL')
}

/** Numbers its saves and records each acknowledged one, until the service is gone. */
async function saveUntilGone(client: Client, writer: number, acknowledged: number[]): Promise<void> {
  const fullname = `writer-${writer}`
  for (let number = (acknowledged[writer] ?? 0) + 1; ; number++) {
    try {
      await client.saveWorkspace({ fullname, body: { fullname, labels: { number: String(number) } } })
      acknowledged[writer] = number
    } catch (error) {
      if (error instanceof ConnectionError) return
      // The store died before the service: this save was refused, not acknowledged.
      if ((error as { code?: string }).code !== 'unavailable' && (error as { code?: string }).code !== 'internal')
        throw error
    }
  }
}

async function savedNumbers(client: Client): Promise<number[]> {
  const saved = new Map(
    (await client.listWorkspaces()).map(({ fullname, labels }) => [fullname, Number(labels.number)]),
  )
  return Array.from({ length: writers }, (_, writer) => saved.get(`writer-${writer}`) ?? 0)
}

async function stop(running: Running): Promise<number | null> {
  running.child.kill('SIGTERM')
  return running.exited
}

/** A request whose headers have arrived and whose body has not. */
async function begin(url: string, body: string): Promise<{ finish(): Promise<number | undefined> }> {
  const headers = { 'content-type': 'application/json', 'content-length': body.length, expect: '100-continue' }
  const sent = request(url, { method: 'POST', headers })
  const answered = new Promise<number | undefined>((done, failed) => {
    sent.on('response', (response) => done(response.resume().statusCode))
    sent.on('error', failed)
  })
  await new Promise((heard) => {
    sent.once('continue', heard)
    sent.flushHeaders()
  })
  return {
    finish: () => {
      sent.end(body)
      return answered
    },
  }
}

/** When new connections are refused, the service is stopping. */
async function refusedConnections(url: string): Promise<void> {
  for (;;) {
    const isOpen = await fetch(`${url}/api/health`, { headers: { connection: 'close' } }).then(
      () => true,
      () => false,
    )
    if (!isOpen) return
  }
}

function after(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms))
}

function mulberry(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}
