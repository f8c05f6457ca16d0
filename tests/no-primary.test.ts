import { createServer, type Server, Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestDatabase, takeDatabase } from './harness/database.ts'
import { type Harness, harness } from './harness/index.ts'

let database: TestDatabase
let house: Harness
const relays: Relay[] = []

type Relay = { port: number; cut(): Promise<void> }

/** A port that leads to the test's PostgreSQL until it is cut. */
async function relayTo(target: URL): Promise<Relay> {
  const open = new Set<Socket>()
  const server: Server = createServer((socket) => {
    const onward = new Socket().connect(Number(target.port) || 5432, target.hostname)
    for (const each of [socket, onward]) {
      open.add(each)
      each.on('error', () => each.destroy()).on('close', () => open.delete(each))
    }
    socket.pipe(onward).pipe(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const cut = async () => {
    for (const each of open) each.destroy()
    await new Promise((resolve) => server.close(resolve))
  }
  return { port: typeof address === 'object' ? (address?.port ?? 0) : 0, cut }
}

beforeAll(async () => {
  database = await takeDatabase()
  const target = new URL(database.url)
  relays.push(await relayTo(target), await relayTo(target))
  const hosts = relays.map(({ port }) => `127.0.0.1:${port}`).join()
  house = await harness({ DATABASE_URL: database.url.replace(`@${target.host}/`, `@${hosts}/`) })
})
afterAll(async () => {
  await house?.close()
  await database?.giveBack()
})

test('while no server of DATABASE_URL accepts writes, every request answers 503 and says when to ask again', async () => {
  const ann = await house.person('ann')
  for (const relay of relays) await relay.cut()
  const headers = { authorization: `Bearer ${ann.token}` }
  // The first ones find the connections that broke, the later ones find no server.
  for (const path of ['workspaces', 'workspaces', 'alerts', 'triggers', 'workspaces', 'ready', 'ready']) {
    const answer = await fetch(`${house.url}/api/${path}`, { headers })
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5'])
    expect(await answer.json()).toMatchObject({ error: { code: 'unavailable' } })
  }
})
