import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { NotSent } from './door.ts'
import { type OpenDoor, openDoor } from './index.ts'
import { makeSender } from './sender.ts'

type Seen = { headers: IncomingHttpHeaders; url: string | undefined; body: string }
type Said = { status: number; headers?: Record<string, string> } | 'silence'

let server: Server
let url = ''
let seen: Seen[] = []
let answer: () => Said = () => ({ status: 204 })
let door: OpenDoor
beforeAll(async () => {
  server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString()
    seen.push({ headers: request.headers, url: request.url, body })
    const said = answer()
    if (said !== 'silence') response.writeHead(said.status, said.headers).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  door = openDoor({ allowPrivateNetworks: true })
})
afterEach(() => {
  seen = []
  answer = () => ({ status: 204 })
})
afterAll(async () => {
  await door.close()
  server.closeAllConnections()
  server.close()
})

const webhook = {
  id: 'al_1',
  timestamp: '1700000000',
  parts: ['{"title":', '"Größe 1 €"', ',"text":', '"Größe 1 €"', '}'],
}
const body = '{"title":"Größe 1 €","text":"Größe 1 €"}'
const queue = (extra = {}) => ({
  ...{ name: 'hook', url, keys: [] as string[], headers: {}, atOnce: 2, timeoutMs: 5_000, responseBytesMax: 100 },
  ...extra,
})

test('a webhook arrives unchanged, signed by each key', async () => {
  const keys = ['one', 'two'].map((key) => Buffer.from(key).toString('base64'))
  const { tookMs, ...rest } = await door.enqueue(queue({ url: `${url}/in?q=1`, keys }), webhook)
  expect(rest).toEqual({ status: 204, headers: {}, text: '' })
  expect(tookMs).toBeGreaterThan(0)
  const signed = ['one', 'two'].map((key) =>
    createHmac('sha256', key).update(`al_1.1700000000.${body}`).digest('base64'),
  )
  expect(seen).toMatchObject([
    {
      url: '/in?q=1',
      body,
      headers: {
        'content-type': 'application/json',
        'webhook-id': 'al_1',
        'webhook-timestamp': '1700000000',
        'webhook-signature': signed.map((each) => `v1,${each}`).join(' '),
      },
    },
  ])
})

test('without a key there is no signature, and a refusal has its headers', async () => {
  answer = () => ({ status: 429, headers: { 'retry-after': '3' } })
  expect(await door.enqueue(queue(), webhook)).toMatchObject({ status: 429, headers: { 'retry-after': '3' } })
  expect(seen[0]?.headers).not.toHaveProperty('webhook-signature')
})

test('webhooks to several URLs go out at once, and each gets its own answer', async () => {
  const places = ['/a', '/b', '/c']
  const sent = Array.from({ length: 60 }, (_, at) => {
    const path = places[at % 3]
    return door.enqueue(queue({ name: path, url: `${url}${path}` }), { ...webhook, id: `al_${at}` })
  })
  expect((await Promise.all(sent)).every(({ status }) => status === 204)).toBe(true)
  expect(new Set(seen.map(({ headers, url }) => `${headers['webhook-id']} ${url}`)).size).toBe(60)
})

test('a webhook has the headers of its queue, and a queue whose headers change sends both kinds', async () => {
  const sent = ['old', 'new', 'new'].map((key, at) =>
    door.enqueue(queue({ headers: { 'x-api-key': key } }), { ...webhook, id: `al_${at}` }),
  )
  await Promise.all(sent)
  const keysById = Object.fromEntries(seen.map(({ headers }) => [headers['webhook-id'], headers['x-api-key']]))
  expect(keysById).toEqual({ al_0: 'old', al_1: 'new', al_2: 'new' })
})

test('webhooks behind one that failed are not sent', async () => {
  answer = () => ({ status: 500 })
  const sent = ['al_1', 'al_2', 'al_3'].map((id) => door.enqueue(queue({ name: 'one', atOnce: 1 }), { ...webhook, id }))
  const [first, ...others] = await Promise.allSettled(sent)
  expect(first).toMatchObject({ value: { status: 500 } })
  for (const other of others) expect(other).toMatchObject({ reason: expect.any(NotSent) })
  expect(seen).toHaveLength(1)
})

test('the thread has the same limits: no private address, and a timeout', async () => {
  const guarded = openDoor({ allowPrivateNetworks: false })
  await expect(guarded.enqueue(queue(), webhook)).rejects.toMatchObject({ kind: 'refused' })
  await guarded.close()
  expect(seen).toEqual([])
  answer = () => 'silence'
  await expect(door.enqueue(queue({ timeoutMs: 50 }), webhook)).rejects.toMatchObject({
    kind: 'timeout',
    message: expect.stringMatching(/did not answer within 50 ms/),
  })
})

test('waiting webhooks fail when the door is closed', async () => {
  answer = () => 'silence'
  const own = openDoor({ allowPrivateNetworks: true })
  const waiting = own.enqueue(queue(), webhook)
  await expect.poll(() => seen.length).toBe(1)
  const rejection = expect(waiting).rejects.toThrow('The service is shutting down.')
  await own.close()
  await rejection
})

test('an idle thread ends with its connections, and the next webhook starts another', async () => {
  const sender = makeSender({ allowPrivateNetworks: true, idleMs: 1 })
  for (const id of ['al_1', 'al_2']) {
    const closed = once(server, 'connection').then(([socket]) => once(socket, 'close'))
    expect(await sender.enqueue(queue(), { ...webhook, id })).toMatchObject({ status: 204 })
    await closed
  }
  expect(seen.map(({ headers }) => headers['webhook-id'])).toEqual(['al_1', 'al_2'])
  await sender.close()
})
