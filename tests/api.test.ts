import { connect } from 'node:net'
import { type Route, routes } from '@tocsin/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod'
import { type Harness, harness, type Person, project, rejects, trigger } from './harness/index.ts'
import { run } from './setup/postgres.ts'

let house: Harness
let ann: Person
beforeAll(async () => {
  house = await harness()
  ann = await house.person('ann')
  await ann.saveWorkspace({ fullname: 'acme', body: { fullname: 'acme' } })
})
afterAll(() => house.close())

const call = (path: string, init: RequestInit = {}) =>
  fetch(`${house.url}${path}`, { ...init, headers: { authorization: `Bearer ${ann.token}`, ...init.headers } })
const json = { 'content-type': 'application/json' }
const dot = {
  filename: 'dot.png',
  contentType: 'image/png',
  data: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
}

describe('every response', () => {
  test('has a request id, the version and the security headers, also if it is a refusal', async () => {
    for (const path of ['/api/me', '/api/nothing', '/api/health', '/api/triggers/%zz']) {
      const { headers } = await call(path)
      expect(headers.get('x-request-id')).toMatch(/^[\w.-]{8,64}$/)
      expect(headers.get('x-api-version')).toMatch(/^\d+\.\d+\.\d+$/)
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('content-security-policy')).toContain("default-src 'none'")
      expect(headers.get('cache-control')).toBe('no-store')
    }
  })

  test('keeps a valid request id and replaces any other', async () => {
    const echoed = await call('/api/me', { headers: { 'x-request-id': 'my-request-0001' } })
    expect(echoed.headers.get('x-request-id')).toBe('my-request-0001')
    const replaced = await call('/api/me', { headers: { 'x-request-id': 'two words' } })
    expect(replaced.headers.get('x-request-id')).not.toBe('two words')
  })

  test('a refusal has a code, a message, details and the request id of its header', async () => {
    const response = await call('/api/workspaces/none')
    const { error } = (await response.json()) as { error: Record<string, unknown> }
    expect(error).toMatchObject({ code: 'not_found', requestId: response.headers.get('x-request-id') })
    expect(error.details).toEqual({})
    expect(error.message).toMatch(/^[A-Z].+\.$/)
  })
})

describe('a bad request is refused with its own code', () => {
  test.each([
    ['not JSON', '{"a":', 400, 'invalid_json'],
    ['not UTF-8', new Uint8Array([0x22, 0xff, 0x22]), 400, 'invalid_json'],
    ['nested too deep', `${'['.repeat(100_000)}${']'.repeat(100_000)}`, 400, 'invalid_payload'],
    ['a NUL character', '{"fullname":"acme","meta":{"title":"a\\u0000b"}}', 400, 'invalid_payload'],
    ['half a surrogate pair', '{"fullname":"acme","meta":{"title":"a\\ud800"}}', 400, 'invalid_payload'],
    ['an array for an object', '[]', 400, 'invalid_payload'],
    ['no body', '', 400, 'invalid_payload'],
    ['more than the limit', `{"x":"${'y'.repeat(1024 * 1024)}"}`, 413, 'payload_too_large'],
  ])('%s', async (_what, body, status, code) => {
    const response = await call('/api/workspaces/acme', { method: 'PUT', headers: json, body })
    expect([response.status, ((await response.json()) as { error: { code: string } }).error.code]).toEqual([
      status,
      code,
    ])
  })

  test('a body that is too large, while the caller is still sending it', async () => {
    const body = `{"x":"${'y'.repeat(24 * 1024 * 1024)}"}`
    for (let round = 0; round < 5; round++) {
      const response = await call('/api/workspaces/acme', { method: 'PUT', headers: json, body })
      expect(response.status).toBe(413)
      const streamed = { body: new Blob([body]).stream(), duplex: 'half' } as RequestInit
      expect((await call('/api/workspaces/acme', { method: 'PUT', headers: json, ...streamed })).status).toBe(413)
    }
  })

  test('a body of another type', async () => {
    const response = await call('/api/workspaces/acme', {
      method: 'PUT',
      headers: { 'content-type': 'text/plain' },
      body: 'x',
    })
    expect(response.status).toBe(415)
  })

  test('a method that the path does not support, with the list of supported methods', async () => {
    const response = await call('/api/workspaces/acme', { method: 'PATCH', headers: json, body: '{}' })
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toBe('GET, PUT, DELETE')
    expect((await call('/api/triggers/preview')).status).toBe(405)
    for (const page of ['/api/docs', '/api/openapi.json', '/metrics'])
      expect((await call(page, { method: 'DELETE' })).status).toBe(405)
  })

  test('an unknown path, a broken escape and a NUL in the path', async () => {
    for (const path of ['/api/none', '/api/workspaces/%zz', '/api/workspaces/a%00b', '/api/workspaces/acme/']) {
      expect((await call(path)).status).toBe(404)
    }
  })

  test('a query that is out of range', async () => {
    for (const path of [
      '/api/projects?scope=other',
      '/api/workspaces?limit=0',
      '/api/workspaces?limit=1&limit=2',
      '/api/workspaces?cursor=%00',
    ]) {
      const response = await call(path)
      expect([path, response.status, ((await response.json()) as { error: { code: string } }).error.code]).toEqual([
        path,
        400,
        'invalid_query',
      ])
    }
  })

  test('unknown fields of a payload are ignored and not stored', async () => {
    const body = { fullname: 'acme', surprise: 1, meta: { title: 'Acme', hidden: true } }
    const view = await ann.saveWorkspace({ fullname: 'acme', body })
    expect(view.meta).toEqual({ title: 'Acme' })
    expect(view).not.toHaveProperty('surprise')
  })
})

describe('signing in', () => {
  test.each([
    ['nothing', {}],
    ['an unknown token', { authorization: 'Bearer tcn_personal_nonsense' }],
    ['an empty token', { authorization: 'Bearer ' }],
    ['another scheme', { authorization: 'Basic YTpi' }],
    ['a token that is a quote', { authorization: "Bearer '; drop table accounts; --" }],
  ])('%s is 401 with a WWW-Authenticate header', async (_what, headers) => {
    const response = await fetch(`${house.url}/api/me`, { headers })
    expect(response.status).toBe(401)
    expect(response.headers.get('www-authenticate')).toBe('Bearer')
  })
})

describe('If-Match', () => {
  test('that fits no version is refused, also for records without an ETag, and changes nothing', async () => {
    const fullname = 'acme.matched'
    await ann.saveProject({ fullname, body: project(fullname) })
    const link = await ann.createAccessLink({ fullname })
    const token = await ann.createToken({ body: { name: 'kept' } })
    const { id: bobId, ...bob } = await house.person('bob')
    const { invite = '' } = await ann.getWorkspace({ fullname: 'acme' })
    await bob.joinWorkspace({ workspace: 'acme', body: { invite } })
    const member = (await ann.listAcl({ workspace: 'acme' })).find(({ user }) => user.id === bobId)
    const image = await ann.uploadProjectImage({ fullname, body: { ...dot, target: 'icon' } })
    const level = { method: 'PUT', body: '{"level":"admin"}' }
    for (const [path, init] of [
      [`/api/workspaces/acme/acl/${member?.id}`, level],
      [`/api/workspaces/acme/acl/${member?.id}`, { method: 'DELETE' }],
      [`/api/projects/${fullname}/access-links/${link.id}`, { method: 'DELETE' }],
      [image.url, { method: 'DELETE' }],
      [`/api/me/tokens/${token.id}`, { method: 'DELETE' }],
    ] as const) {
      const send = (tag: string) => call(path, { ...init, headers: { ...json, 'if-match': tag } })
      expect([path, (await send('"old"')).status]).toEqual([path, 412])
      expect((await send('*')).status).toBeLessThan(300)
    }
  })
})

test('every list accepts a limit and a cursor', async () => {
  const isList = ({ method, reply }: Route) => method === 'GET' && reply instanceof z.ZodArray
  const lists = Object.values<Route>(routes).filter(isList)
  for (const { path, list, query } of lists)
    expect([path, list, Object.keys(query?.shape ?? {})]).toEqual([
      path,
      true,
      expect.arrayContaining(['limit', 'cursor']),
    ])
  const first = await ann.whole.listRuntimeSources({ query: { limit: 2 } })
  const next = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? ''
  const second = (await (await call(next)).json()) as typeof first.body
  const names = [...first.body, ...second].map(({ fullname }) => fullname)
  expect(names).toEqual((await ann.listRuntimeSources({ query: { limit: 4 } })).map(({ fullname }) => fullname))
})

test('a cursor that no page of the list returned is refused or gives a page, also if it can be decoded', async () => {
  await ann.saveProject({ fullname: 'acme.listed', body: project('acme.listed') })
  const keys = ['', 'x', '-1', '9'.repeat(18), '9'.repeat(19), '1e3', "' or 1=1 --", '\u{1F4A5}', '%', 'a'.repeat(700)]
  const strange = [
    ...keys,
    '2026-13-45T99:99:99.999Z_00000000-0000-0000-0000-000000000000',
    '2026-13-45T99:99:99.999Z_1',
  ]
  // Pallets are read from the chain of a source, which the query must name.
  const isOfStore = ({ list, path }: Route) => list && path !== '/api/triggers/substrate/pallets'
  const lists = Object.values<Route>(routes).filter(isOfStore)
  const ofTrigger = '/api/triggers/:fullname/versions'
  const byNumber = ['/api/alerts', '/api/subscriptions', '/api/projects/:fullname/templates', ofTrigger]
  const byTime = ['/api/project-transfer-requests', '/api/workspaces/:fullname/audit']
  await ann.saveTrigger({ fullname: 'acme.listed.t', body: trigger('acme.listed.t') })
  for (const { path } of lists)
    for (const key of strange) {
      const owner = path.startsWith('/api/workspaces/') ? 'acme' : 'acme.listed'
      const fullname = path === ofTrigger ? 'acme.listed.t' : owner
      const url = path.replace(':fullname', fullname).replace(':workspace', 'acme')
      const response = await call(`${url}?cursor=${Buffer.from(key).toString('base64url')}`)
      const isRefused = byTime.includes(path) || (byNumber.includes(path) && !/^\d{1,18}$/.test(key))
      expect([path, key, response.status]).toEqual([path, key, isRefused ? 400 : 200])
      if (isRefused) expect(await response.json()).toMatchObject({ error: { code: 'invalid_query' } })
    }
})

describe('Idempotency-Key', () => {
  test('a repeat returns the first response and runs nothing twice, also when requests are concurrent', async () => {
    const create = () => ann.createToken({ idempotencyKey: 'k-1', body: { name: 'once' } })
    const answers = await Promise.all([create(), create(), create()])
    expect(new Set(answers.map(({ token }) => token)).size).toBe(1)
    expect(await create()).toEqual(answers[0])
    expect((await ann.listTokens()).filter(({ name }) => name === 'once')).toHaveLength(1)
  })

  test('another account, another path or another day is another request', async () => {
    const bob = await house.person('bob')
    const body = { name: 'mine' }
    const first = await ann.createToken({ idempotencyKey: 'k-2', body })
    expect(await bob.createToken({ idempotencyKey: 'k-2', body })).not.toEqual(first)
    house.clock.advance(25 * 3_600_000)
    expect(await ann.createToken({ idempotencyKey: 'k-2', body })).not.toEqual(first)
  })

  test('a refusal is repeated too', async () => {
    const create = () =>
      ann.createToken({ idempotencyKey: 'k-3', body: { name: 'late', expiresAt: '2001-01-01T00:00:00Z' } })
    const [first, second] = [
      await rejects(create(), { code: 'invalid_payload' }),
      await rejects(create(), { code: 'invalid_payload' }),
    ]
    expect(second.requestId).toBe(first.requestId)
  })

  test('the stored reply is encrypted', async () => {
    const { token } = await ann.createToken({ idempotencyKey: 'k-4', body: { name: 'sealed' } })
    const { dumpTables } = await import('./harness/dump.ts')
    expect(await dumpTables(house.databaseUrl)).not.toContain(token)
  })
})

describe('rate limits', () => {
  test('count per account and per address, show the remaining calls, and say when to retry', async () => {
    const strict = await harness({ RATE_ACCOUNT_PER_MINUTE: '5', RATE_ADDRESS_PER_MINUTE: '3' })
    const eve = await strict.person('eve')
    const headers = { authorization: `Bearer ${eve.token}` }
    const left: (string | null)[] = []
    for (let i = 0; i < 5; i++)
      left.push((await fetch(`${strict.url}/api/me`, { headers })).headers.get('ratelimit-remaining'))
    expect(left).toEqual(['4', '3', '2', '1', '0'])
    const over = await fetch(`${strict.url}/api/me`, { headers })
    expect([over.status, over.headers.get('ratelimit-limit')]).toEqual([429, '5'])
    expect(over.headers.get('ratelimit-policy')).toBe('"account";q=5;w=60')
    expect(over.headers.get('ratelimit')).toMatch(/^"account";r=0;t=\d+$/)
    expect(Number(over.headers.get('retry-after'))).toBeGreaterThan(0)
    for (let i = 0; i < 2; i++) expect((await fetch(`${strict.url}/api/me`)).status).toBe(401)
    expect((await fetch(`${strict.url}/api/template-helpers`)).status).toBe(429)
    expect((await fetch(`${strict.url}/api/health`)).status).toBe(200)
    strict.clock.advance(61_000)
    expect((await fetch(`${strict.url}/api/me`, { headers })).status).toBe(200)
    await strict.close()
  })
})

describe('TRUST_PROXY', () => {
  const addressesOf = async (TRUST_PROXY: string, forwarded: string[]) => {
    const proxied = await harness({ TRUST_PROXY })
    for (const header of forwarded) await fetch(`${proxied.url}/api/health`, { headers: { 'x-forwarded-for': header } })
    await proxied.close()
    return proxied.logs.flatMap((line) => JSON.parse(line).address ?? [])
  }

  test('uses addresses from trusted proxies only, never those that a caller wrote', async () => {
    expect(await addressesOf('on', ['6.6.6.6, 203.0.113.6'])).toEqual(['203.0.113.6'])
    const forwarded = ['6.6.6.6, 203.0.113.7, 10.0.0.1', '203.0.113.8', '203.0.113.9, 10.0.0.1']
    expect(await addressesOf('2', forwarded)).toEqual(['203.0.113.7', '203.0.113.8', '203.0.113.9'])
    expect(await addressesOf('127.0.0.1, 10.0.0.0/8', forwarded)).toEqual(['203.0.113.7', '203.0.113.8', '203.0.113.9'])
  })
})

describe('CORS', () => {
  test('is off by default and open only to the listed origins; a token protects the metrics', async () => {
    const origin = 'https://console.example.org'
    expect((await call('/api/me', { headers: { origin } })).headers.get('access-control-allow-origin')).toBeNull()
    const metricsToken = 'a-token-of-the-operator'
    const open = await harness({ CORS_ORIGINS: origin, METRICS_TOKEN: metricsToken })
    const preflight = await fetch(`${open.url}/api/me`, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'GET' },
    })
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, origin])
    const other = await fetch(`${open.url}/api/health`, { headers: { origin: 'https://evil.example.org' } })
    expect(other.headers.get('access-control-allow-origin')).toBeNull()
    const metrics = async (authorization: string) =>
      (await fetch(`${open.url}/metrics`, { headers: { authorization } })).status
    for (const wrong of ['', 'Bearer', `Bearer ${metricsToken}x`, metricsToken]) expect(await metrics(wrong)).toBe(401)
    expect(await metrics(`Bearer ${metricsToken}`)).toBe(200)
    await open.close()
  })
})

describe('health, metrics and API reference', () => {
  test('health, ready, metrics and the template helpers need no account', async () => {
    expect(await house.nobody.getHealth()).toMatchObject({ status: 'ok' })
    expect(await house.nobody.getReady()).toMatchObject({ status: 'ok' })
    const metrics = await (await fetch(`${house.url}/metrics`)).text()
    expect(metrics).toContain('tocsin_http_request_duration_seconds_bucket')
    expect((await house.nobody.getTemplateHelpers()).templating.helpers[0]).toMatchObject({ name: 'if', block: true })
  })
})

describe('compressed answers', () => {
  const encodingOf = async (path: string, accepted: string) => {
    const response = await fetch(`${house.url}${path}`, {
      headers: { authorization: `Bearer ${ann.token}`, 'accept-encoding': accepted },
    })
    expect(JSON.parse(await response.text())).toBeDefined()
    return [response.headers.get('content-encoding'), response.headers.get('vary')]
  }

  test('a large answer is compressed as the caller accepts it', async () => {
    const vary = 'Accept-Encoding'
    for (const path of ['/api/openapi.json', '/api/triggers/core/actions', '/api/template-helpers']) {
      expect(await encodingOf(path, 'gzip, br')).toEqual(['br', vary])
      expect(await encodingOf(path, 'br;q=0, gzip')).toEqual(['gzip', vary])
      expect(await encodingOf(path, '*;q=0.5')).toEqual(['br', vary])
      expect(await encodingOf(path, 'identity')).toEqual([null, vary])
    }
  })

  test('a small answer is not compressed, and neither is one that can show a secret', async () => {
    expect(await encodingOf('/api/health', 'gzip')).toEqual([null, 'Accept-Encoding'])
    const title = 'a'.repeat(200)
    const labels = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`l${index}`, title]))
    const fullname = 'compressed'
    await ann.saveWorkspace({ fullname, body: { fullname, labels } })
    expect(await encodingOf(`/api/workspaces/${fullname}`, 'gzip')).toEqual([null, null])
  })
})

describe('conditional requests for public data', () => {
  test.each(['/api/openapi.json', '/api/docs', '/api/template-helpers', '/api/schemas/trigger.json'])(
    '%s answers 304 to a caller who has its content',
    async (path) => {
      const first = await fetch(`${house.url}${path}`)
      const etag = first.headers.get('etag') ?? ''
      expect(etag).toMatch(/^W\/"/)
      const again = await fetch(`${house.url}${path}`, { headers: { 'if-none-match': `"other", ${etag}` } })
      expect([again.status, await again.text()]).toEqual([304, ''])
      expect((await fetch(`${house.url}${path}`, { headers: { 'if-none-match': '"other"' } })).status).toBe(200)
    },
  )
})

describe('problem details', () => {
  const ask = async (accept: string) => {
    const response = await fetch(`${house.url}/api/me`, { headers: { accept, 'x-request-id': 'request-0001' } })
    return { response, body: (await response.json()) as Record<string, unknown> }
  }

  test('an error has the form of RFC 9457 for callers who accept it', async () => {
    const { response, body } = await ask('application/problem+json')
    expect(response.status).toBe(401)
    expect(response.headers.get('content-type')).toBe('application/problem+json; charset=utf-8')
    expect(response.headers.get('vary')).toContain('Accept')
    expect(body).toMatchObject({
      type: '/api/docs#error-unauthenticated',
      status: 401,
      code: 'unauthenticated',
      instance: 'urn:tocsin:request:request-0001',
      requestId: 'request-0001',
      details: {},
    })
  })

  test.each([
    '*/*',
    'application/json',
    'application/json, application/problem+json;q=0.5',
    'application/problem+json;q=0',
  ])('it has the form of the specification for Accept: %s', async (accept) => {
    const { response, body } = await ask(accept)
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(body).toMatchObject({ error: { code: 'unauthenticated' } })
  })
})

describe('a request that a proxy could parse differently from the service', () => {
  const get = 'GET /api/health HTTP/1.1\r\nHost: a\r\n'
  const smuggled = `${get}\r\n`
  test.each([
    ['a length and chunks', `${get}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`],
    ['two lengths', `${get}Content-Length: 0\r\nContent-Length: ${smuggled.length}\r\n\r\n${smuggled}`],
    ['a length with a sign', `${get}Content-Length: +${smuggled.length}\r\n\r\n${smuggled}`],
    ['chunks under another name', `${get}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${smuggled}`],
    ['chunks named after a line break', `${get}X: a\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`],
    ['a space before the colon', `${get}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n${smuggled}`],
    ['a chunk of a negative size', `${get}Transfer-Encoding: chunked\r\n\r\n-1\r\n\r\n${smuggled}`],
    ['a zero byte in a header', `${get}X: a\0b\r\n\r\n${smuggled}`],
  ])('%s: at most one answer, and the connection is closed', async (_what, text) => {
    const answer = await raw(text)
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    expect(answer.match(/HTTP\/1\.1 /g)).toHaveLength(1)
  })

  /** The full reply of the service to raw text, until it closes the connection. */
  async function raw(text: string): Promise<string> {
    const { hostname, port } = new URL(house.url)
    const socket = connect(Number(port), hostname)
    socket.on('error', () => undefined)
    socket.write(text)
    let said = ''
    for await (const chunk of socket) said += chunk
    return said
  }
})

describe('a store whose disk is full', () => {
  test('refuses a save with 503 and the reason, and the service reports that it is not ready', async () => {
    await run(house.databaseUrl, refuseWorkspaces)
    const body = { fullname: 'full' }
    await expect(ann.saveWorkspace({ fullname: 'full', body })).rejects.toMatchObject({
      status: 503,
      code: 'unavailable',
      message: expect.stringContaining('its disk is full'),
    })
    await run(house.databaseUrl, 'drop trigger refuse on workspaces')

    // The probe of /api/ready needs a temporary file. Open sessions keep their old limit, so they are ended.
    const { pathname } = new URL(house.databaseUrl)
    const database = pathname.slice(1)
    await run(house.databaseUrl, `alter database ${database} set temp_file_limit = 0`)
    await run(house.databaseUrl, endOtherSessions)
    // The first request on a connection that was just ended fails.
    const readiness = async () => {
      const answer = await fetch(`${house.url}/api/ready`)
      return { status: answer.status, body: await answer.json() }
    }
    const outOfDisk = { error: { code: 'unavailable', message: 'The store is out of memory or disk.' } }
    await expect.poll(readiness).toMatchObject({ status: 503, body: outOfDisk })
    await run(house.databaseUrl, `alter database ${database} reset temp_file_limit`)
    await run(house.databaseUrl, endOtherSessions)
    await expect.poll(readiness).toMatchObject({ status: 200 })
  })
})

/** PostgreSQL's own code for a full disk. */
const refuseWorkspaces = `
  create function disk_full() returns trigger language plpgsql as
    $$ begin raise exception 'could not extend file: No space left on device' using errcode = 'disk_full'; end $$;
  create trigger refuse before insert on workspaces for each row execute function disk_full()`
const endOtherSessions =
  'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()'

describe('the log', () => {
  test('has one line per request, without query, token or body', async () => {
    const before = house.logs.length
    const secret = 'tcn_link_topsecrettopsecrettopsecrettopsecret'
    await call(`/api/projects/by-link/${secret}`)
    await fetch(`${house.url}/api/resources/external/${secret}`)
    await fetch(`${house.url}/api/resources/external/${secret}/`)
    await call(`/api/workspaces?cursor=${secret}`)
    await ann.saveProject({ fullname: 'acme.logged', body: project('acme.logged') })
    const lines = house.logs.slice(before)
    expect(lines).toHaveLength(5)
    expect(lines.join('')).not.toContain(secret)
    expect(lines.join('')).not.toContain(ann.token)
    expect(JSON.parse(lines[4] ?? '')).toMatchObject({
      method: 'PUT',
      route: '/api/projects/:fullname',
      status: 200,
      account: ann.id,
    })
  })
})
