import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Client, createClient } from './client.ts'
import { ApiError, ConnectionError, TimeoutError } from './error.ts'
import type { ClientOptions } from './request.ts'

type Answer = { status: number; headers?: Record<string, string>; body?: unknown } | 'broken' | 'silent'

/** The answers in order; the last one repeats. */
let answers: Answer[] = []
const server = createServer((_request, response) => give(answers.length > 1 ? answers.shift() : answers[0], response))

function give(answer: Answer | undefined, response: ServerResponse): void {
  if (answer === undefined || answer === 'silent') return
  if (answer === 'broken') return void response.socket?.destroy()
  response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers })
  response.end(JSON.stringify(answer.body ?? {}))
}

let baseUrl: string
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

/** How many tries of the current call were sent, and how many were answered. */
let tries = { sent: 0, answered: 0 }

/** What the call ended with, and how many tries it took. */
async function outcome(given: Answer[], call: (client: Client) => Promise<unknown>, options?: Partial<ClientOptions>) {
  answers = given
  const counted = { sent: 0, answered: 0 }
  tries = counted
  const counting: typeof fetch = async (url, init) => {
    counted.sent++
    const response = await fetch(url, init)
    counted.answered++
    return response
  }
  const client = createClient({ baseUrl, retryDelayMs: 1, fetch: counting, ...options })
  const ended = await call(client).catch((error: unknown) => error)
  return { ended, count: counted.sent }
}

const body = { fullname: 'acme' }
const calls: Record<string, (client: Client) => Promise<unknown>> = {
  GET: (client) => client.getMe(),
  PUT: (client) => client.saveWorkspace({ fullname: 'acme', body }),
  DELETE: (client) => client.deleteWorkspace({ fullname: 'acme' }),
  'POST with an Idempotency-Key': (client) => client.createToken({ body: { name: 'ci' }, idempotencyKey: 'once' }),
}
const once: Record<string, (client: Client) => Promise<unknown>> = {
  POST: (client) => client.createToken({ body: { name: 'ci' } }),
  PATCH: (client) => client.patchTrigger({ fullname: 'a.b.c', body: { patch: {} } as never }),
}
const passing: Answer[] = [{ status: 429 }, { status: 502 }, { status: 503 }, { status: 504 }, 'broken']
const ok: Answer = { status: 200, body: { fine: true } }

test.each(Object.keys(calls))('a failed %s is sent again until it succeeds', async (name) => {
  for (const failure of passing) {
    expect(await outcome([failure, failure, ok], calls[name]!)).toEqual({ ended: { fine: true }, count: 3 })
  }
})

test.each(Object.keys(once))('a failed %s is sent once, because a repeat could do it twice', async (name) => {
  for (const failure of passing) {
    const { ended, count } = await outcome([failure, ok], once[name]!)
    expect(ended).toBeInstanceOf(failure === 'broken' ? ConnectionError : ApiError)
    expect(count).toBe(1)
  }
})

test('a refusal that does not pass is not repeated, and the number of retries is limited', async () => {
  for (const status of [400, 401, 403, 404, 409, 412, 500]) {
    expect(await outcome([{ status }, ok], calls.GET!)).toMatchObject({ ended: { status }, count: 1 })
  }
  expect(await outcome([{ status: 503 }], calls.GET!)).toMatchObject({ ended: { status: 503 }, count: 4 })
  expect(await outcome([{ status: 503 }], calls.GET!, { retries: 1 })).toMatchObject({ count: 2 })
  expect(await outcome([{ status: 503 }], (client) => client.getMe({ retries: 0 }))).toMatchObject({ count: 1 })
})

test('a retry waits as long as Retry-After asks, and not at all if that is too long', async () => {
  const busy = (after: string): Answer => ({ status: 429, headers: { 'retry-after': after } })
  const startedMs = performance.now()
  expect(await outcome([busy('1'), ok], calls.GET!)).toEqual({ ended: { fine: true }, count: 2 })
  expect(performance.now() - startedMs).toBeGreaterThanOrEqual(990)
  const { ended, count } = await outcome([busy('3600'), ok], calls.GET!)
  expect([(ended as ApiError).retryAfterMs, count]).toEqual([3_600_000, 1])
  const past = new Date(Date.now() - 60_000).toUTCString()
  expect(await outcome([busy(past), ok], calls.GET!)).toEqual({ ended: { fine: true }, count: 2 })
})

test('a try that gets no answer in time fails with a TimeoutError, after its retries', async () => {
  const { ended, count } = await outcome(['silent'], calls.GET!, { timeoutMs: 20, retries: 1 })
  expect(ended).toBeInstanceOf(TimeoutError)
  expect([(ended as Error).name, count]).toEqual(['TimeoutError', 2])
  const { ended: ofCall } = await outcome(['silent'], (client) => client.getMe({ timeoutMs: 30, retries: 0 }))
  expect((ofCall as Error).message).toMatch('within 30 ms')
})

test('the signal of the caller ends a call while it waits for an answer or for a retry', async () => {
  for (const answer of ['silent', { status: 503, headers: { 'retry-after': '60' } }] as const) {
    const left = new AbortController()
    const call = outcome([answer], (client) => client.getMe({ signal: left.signal }))
    await expect.poll(() => (answer === 'silent' ? tries.sent : tries.answered)).toBe(1)
    left.abort(new Error('gone'))
    expect(await call).toMatchObject({ ended: { message: 'gone' }, count: 1 })
  }
  const before = AbortSignal.abort(new Error('too late'))
  expect(await outcome([ok], (client) => client.getMe({ signal: before }))).toMatchObject({
    ended: { message: 'too late' },
  })
})

test('an ApiError has a name, the code, the issues and the request id', async () => {
  const issues = [{ path: 'body.name', message: 'is required' }]
  const error = { code: 'invalid_payload', message: 'No.', details: { issues }, requestId: 'request-1' }
  const { ended } = await outcome([{ status: 400, body: { error } }], once.POST!)
  expect(ended).toMatchObject({
    name: 'ApiError',
    code: 'invalid_payload',
    issues,
    requestId: 'request-1',
    status: 400,
  })
  const page = { status: 400, headers: { 'content-type': 'text/html', 'x-request-id': 'from-header' } }
  const { ended: unreadable } = await outcome([page], once.POST!)
  expect(unreadable).toMatchObject({ code: 'unreadable', issues: [], requestId: 'from-header' })
})
