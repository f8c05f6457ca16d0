import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { toRefusal } from '../errors.ts'
import { refusalReply } from '../http-reply.ts'
import { addDocsSite } from './docs-site.ts'

test('without a build the answer says what to do, and a build that comes later is served', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tocsin-docs-'))
  const app = Fastify()
  onTestFinished(async () => {
    await app.close()
    rmSync(folder, { recursive: true, force: true })
  })
  app.setErrorHandler((error: Error, request, reply) => {
    const refused = refusalReply(toRefusal(error), request.id)
    return reply.code(refused.status).send(refused.body)
  })
  addDocsSite(app, join(folder, 'dist'))
  for (const url of ['/docs/errors', '/llms.txt']) {
    const missing = await app.inject({ url })
    expect([url, missing.statusCode, missing.json().error.message]).toEqual([
      url,
      503,
      'The docs site has not been built. Start the service with `npm start`.',
    ])
  }

  mkdirSync(join(folder, 'dist'))
  writeFileSync(join(folder, 'dist', 'errors.html'), '<h1>Errors</h1>')
  expect((await app.inject({ url: '/docs/errors' })).body).toBe('<h1>Errors</h1>')
  expect((await app.inject({ url: '/llms.txt' })).statusCode).toBe(404)
})
