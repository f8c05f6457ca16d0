import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toRefusal } from '../errors.ts'
import { refusalReply } from '../http-reply.ts'
import { addConsole } from './console-files.ts'

const script = 'console.log("hello")'
let folder: string
let app: FastifyInstance

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tocsin-console-'))
  mkdirSync(join(folder, 'assets'))
  writeFileSync(join(folder, 'index.html'), '<script nonce="__NONCE__" src="/assets/main-1.js"></script>')
  writeFileSync(join(folder, 'assets', 'main-1.js'), script)
  writeFileSync(join(folder, 'assets', 'main-1.js.gz'), gzipSync(script))
  app = serve(folder)
})
afterAll(async () => {
  await app.close()
  rmSync(folder, { recursive: true, force: true })
})

function serve(from: string): FastifyInstance {
  const app = Fastify()
  app.setErrorHandler((error: Error, request, reply) => {
    const refused = refusalReply(toRefusal(error), request.id)
    return reply.code(refused.status).send(refused.body)
  })
  addConsole(app, from)
  return app
}

describe('pages', () => {
  test('every URL of the console returns the page, which caches must revalidate', async () => {
    for (const url of ['/', '/sign-in', '/w/acme/projects/acme.pulse?tab=1']) {
      const response = await app.inject({ url })
      expect(response.statusCode).toBe(200)
      expect(response.headers['content-type']).toBe('text/html; charset=utf-8')
      expect(response.headers['cache-control']).toBe('no-cache')
    }
  })

  test('a page allows only our scripts and styles, and each response has a new nonce', async () => {
    const nonces = new Set<string>()
    for (let time = 0; time < 3; time++) {
      const { headers, body } = await app.inject({ url: '/' })
      const policy = String(headers['content-security-policy'])
      expect(policy).toContain("default-src 'none'; script-src 'self';")
      expect(policy).toContain("frame-ancestors 'none'")
      expect(policy).not.toContain('unsafe')
      const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? ''
      expect(body).toContain(`nonce="${nonce}"`)
      nonces.add(nonce)
    }
    expect(nonces.size).toBe(3)
  })

  test('a path below /api, or one that looks like a file, is not a page', async () => {
    for (const url of ['/api/nothing', '/api', '/metrics/more', '/robots.txt', '/assets/gone-2.js'])
      expect((await app.inject({ url })).json()).toMatchObject({ error: { code: 'not_found' } })
  })
})

describe('files', () => {
  test('files with a hash in their name are cached for ever', async () => {
    const response = await app.inject({ url: '/assets/main-1.js' })
    expect(response.body).toBe(script)
    expect(response.headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect(response.headers['content-type']).toBe('text/javascript; charset=utf-8')
  })

  test('the compressed copy is sent only to clients that accept it', async () => {
    const encodingFor = async (accepted: string) =>
      (await app.inject({ url: '/assets/main-1.js', headers: { 'accept-encoding': accepted } })).headers[
        'content-encoding'
      ]
    expect(await encodingFor('gzip, deflate, br')).toBe('gzip')
    expect(await encodingFor('gzip;q=0')).toBeUndefined()
    expect(await encodingFor('gzip;q=0.5')).toBe('gzip')
    expect(await encodingFor('identity')).toBeUndefined()
  })

  test('a path out of the folder finds nothing', async () => {
    for (const url of ['/assets/../../package.json', '/assets/%2e%2e/index.html', '/..%2fpackage.json']) {
      const response = await app.inject({ url })
      expect(response.body).not.toContain('dependencies')
    }
  })
})

test('without a build the page says how to build it', async () => {
  const bare = serve(join(folder, 'nowhere'))
  const response = await bare.inject({ url: '/' })
  expect(response.statusCode).toBe(503)
  expect(response.json().error.message).toContain('npm start')
  await bare.close()
})
