import { once } from 'node:events'
import { connect } from 'node:net'
import Fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { addWriteLimit, answerBytesMax, toJson } from './http-reply.ts'

test('an answer of 8 MB is sent, a larger one is refused, whatever makes it large', () => {
  expect(toJson({ a: 'x'.repeat(answerBytesMax - 100) })).toHaveLength(answerBytesMax - 92)
  const tooLarge = { code: 'answer_too_large', message: expect.stringContaining('8 MB') }
  const refusalOf = (body: unknown) => {
    try {
      return toJson(body)
    } catch (error) {
      return error
    }
  }
  expect(refusalOf('x'.repeat(answerBytesMax))).toMatchObject(tooLarge)
  expect(refusalOf('\u0001'.repeat(2 * 1024 * 1024))).toMatchObject(tooLarge)
  expect(refusalOf('😀'.repeat(3 * 1024 * 1024))).toMatchObject(tooLarge)
  expect(refusalOf(Array(5_000_000).fill(null))).toMatchObject(tooLarge)
  const shared = Array(1_000).fill('x'.repeat(1_000))
  expect(refusalOf(Array(1_000_000).fill(shared))).toMatchObject(tooLarge)
})

test('a reader who does not read is let go', async () => {
  const app = Fastify()
  onTestFinished(() => app.close())
  addWriteLimit(app, { leastMs: 100, bytesPerMs: 1_000_000 })
  const closed = Promise.withResolvers<boolean>()
  app.get('/', (_request, reply) => {
    reply.raw.once('close', () => closed.resolve(reply.raw.writableFinished))
    void reply.send(Buffer.alloc(64 * 1024 * 1024))
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as { port: number }
  const reader = connect(port, '127.0.0.1')
  await once(reader, 'connect')
  reader.write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n')
  expect(await closed.promise).toBe(false)
  reader.destroy()
})
