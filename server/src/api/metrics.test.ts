import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { send } from './bind.ts'
import { toRefusal } from './errors.ts'
import { refusalReply } from './http-reply.ts'
import { addMetrics, type MetricsAccess } from './metrics.ts'

const token = 'a-token-of-the-operator'
const local: MetricsAccess = { token: undefined, isOpen: false }

/** The status of a request from this address. */
async function ask(access: MetricsAccess, remoteAddress: string, headers: Record<string, string> = {}) {
  const app = Fastify()
  app.setErrorHandler(async (error: Error, request, reply) => send(reply, refusalReply(toRefusal(error), request.id)))
  addMetrics(app, { contentType: 'text/plain', text: async () => 'up 1' }, access)
  const reply = await app.inject({ url: '/metrics', remoteAddress, headers: { host: '127.0.0.1:4100', ...headers } })
  await app.close()
  return reply.statusCode
}

test.each(['127.0.0.1', '127.1.2.3', '::1', '::ffff:127.0.0.1'])(
  'without a token the metrics answer callers on this machine: %s',
  async (address) => {
    for (const host of ['127.0.0.1:4100', 'localhost', '[::1]:4100'])
      expect(await ask(local, address, { host })).toBe(200)
  },
)

test.each(['10.0.0.7', '192.0.2.7', '2001:db8::1', '::ffff:10.0.0.7'])(
  'without a token the metrics answer no other machine: %s',
  async (address) => {
    expect(await ask(local, address)).toBe(403)
    expect(await ask(local, address, { 'x-forwarded-for': '127.0.0.1' })).toBe(403)
  },
)

test.each([
  { 'x-forwarded-for': '203.0.113.9' },
  { 'x-forwarded-for': '127.0.0.1' },
  { forwarded: 'for=203.0.113.9' },
  { 'x-real-ip': '203.0.113.9' },
  { 'x-forwarded-proto': 'https' },
  { 'x-forwarded-host': 'tocsin.example' },
  { via: '1.1 proxy' },
  { host: 'tocsin.example' },
] as Record<string, string>[])('a proxy on the same machine opens nothing: %o', async (headers) => {
  expect(await ask(local, '127.0.0.1', headers)).toBe(403)
})

test('with a token everybody needs it, also on this machine and if the metrics are open', async () => {
  for (const isOpen of [false, true]) {
    const access = { token, isOpen }
    expect(await ask(access, '127.0.0.1')).toBe(401)
    expect(await ask(access, '127.0.0.1', { authorization: `Bearer ${token}x` })).toBe(401)
    expect(await ask(access, '10.0.0.7', { authorization: `Bearer ${token}` })).toBe(200)
  }
})

test('the operator can open the metrics on purpose', async () => {
  expect(await ask({ token: undefined, isOpen: true }, '10.0.0.7', { 'x-forwarded-for': '203.0.113.9' })).toBe(200)
})
