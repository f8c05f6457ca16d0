import { hash } from 'node:crypto'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Harness, harness, type Person, rejects } from './harness/index.ts'

/** An Idempotency-Key on a call that reaches the network. The harness has six database connections. */

let house: Harness
let ann: Person
let remote: Server
let remoteUrl: string
/** Requests that reached the remote server and wait for its reply. */
const hanging: ServerResponse[] = []
let arrived = () => {}

beforeAll(async () => {
  remote = createServer((_request, response) => {
    hanging.push(response)
    arrived()
  }).listen(0, '127.0.0.1')
  await new Promise((listening) => remote.once('listening', listening))
  remoteUrl = `http://127.0.0.1:${(remote.address() as AddressInfo).port}`
  house = await harness({ ALLOW_PRIVATE_NETWORKS: 'on' })
  ann = await house.person('ann')
})
afterAll(async () => {
  await house.close()
  remote.closeAllConnections()
  remote.close()
})

const provider = (path: string) => ({ id: 'slow', type: 'http' as const, url: `${remoteUrl}/${path}` })
const call = (person: Person, key: string) =>
  person.testProvider({ idempotencyKey: key, body: { triggerSpec: null, provider: provider(key) } })

/** Resolves when this many requests wait at the remote server. */
async function hold(count: number): Promise<void> {
  while (hanging.length < count) await new Promise<void>((resolve) => (arrived = resolve))
}

function answerAll(text: string): void {
  for (const response of hanging.splice(0)) response.end(JSON.stringify(text))
}

test('calls that hang hold no database connection, and a repeat meanwhile is in progress', async () => {
  const people = [ann, await house.person('bob')]
  const calls = people.flatMap((person) => [1, 2, 3, 4].map((each) => call(person, `hang-${each}`)))
  await hold(8)
  expect(await ann.getMe()).toMatchObject({ name: 'ann' })
  await rejects(call(ann, 'hang-1'), { code: 'in_progress', status: 409 })
  answerAll('done')
  expect(await Promise.all(calls)).toEqual(calls.map(() => expect.objectContaining({ valid: true, result: 'done' })))
})

test('a repeat gets the stored reply, and the remote server is not called again', async () => {
  const first = call(ann, 'twice')
  await hold(1)
  answerAll('first')
  expect(await first).toMatchObject({ valid: true, result: 'first' })
  expect(await call(ann, 'twice')).toEqual(await first)
  expect(hanging).toEqual([])
})

/** As the service names the content of a request: the method, the path and the hash of the body. */
const contentOf = (path: string) =>
  `POST /api/triggers/providers/test ${hash('sha256', JSON.stringify({ triggerSpec: null, provider: provider(path) }))}`

test('the claim of a dead process blocks for at most a minute, and its late reply is not stored', async () => {
  const { idempotencyKeys } = house.service.store
  const request = { accountId: ann.id, scope: 'testProvider {}', key: 'died', content: contentOf('died') }
  const now = house.clock.now()
  const dead = { id: 'dead', until: new Date(now.getTime() + 60_000) }
  expect(await idempotencyKeys.claimUntil(request, dead, now)).toBe(true)
  await rejects(call(ann, 'died'), { code: 'in_progress' })
  house.clock.advance(61_000)
  const second = call(ann, 'died')
  await hold(1)
  await idempotencyKeys.keep(request, { status: 200, headers: {}, body: 'late' }, { claimId: dead.id, bytesMax: 1_000 })
  await idempotencyKeys.release(request, dead.id)
  await rejects(call(ann, 'died'), { code: 'in_progress' })
  answerAll('second')
  expect(await second).toMatchObject({ result: 'second' })
  expect(await call(ann, 'died')).toEqual(await second)
})
