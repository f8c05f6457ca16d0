import {
  errorTable,
  operationExamples,
  type Route,
  type RouteName,
  routes,
  scopeNames,
  WebhookPayload,
} from '@tocsin/contract'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { standardBody } from '../server/src/engine/destinations/webhook-body.ts'
import { type Harness, harness } from './harness/index.ts'

type Media = { schema: Record<string, unknown>; examples?: Record<string, { value: unknown }>; example?: unknown }
type Answer = { description: string; headers?: Record<string, unknown>; content?: Record<string, Media> }
type Parameter = { name: string; in: string; description: string; example?: string }
type Operation = {
  operationId: RouteName
  summary: string
  description: string
  tags: string[]
  'x-scopes'?: string[]
  parameters: Parameter[]
  requestBody?: { content: Record<string, Media> }
  responses: Record<string, Answer>
}
type Document = {
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<string, { post: Operation }>
  components: {
    schemas: Record<string, Record<string, unknown>>
    securitySchemes: { bearer: { 'x-scopes': Record<string, string> } }
  }
}

let house: Harness
let text: string
let document: Document
let operations: [RouteName, Route, Operation][]
beforeAll(async () => {
  house = await harness()
  text = await (await fetch(`${house.url}/api/openapi.json`)).text()
  document = JSON.parse(text)
  operations = (Object.entries<Route>(routes) as [RouteName, Route][]).map(([name, route]) => {
    const found = document.paths[route.path.replace(/:(\w+)/g, '{$1}')]?.[route.method.toLowerCase()]
    if (!found) throw new Error(`${name} is missing`)
    return [name, route, found]
  })
})
afterAll(() => house.close())

describe('every operation', () => {
  test('has a description that says more than its summary', () => {
    const short = operations.filter(([, , { summary, description }]) => description.length <= summary.length)
    expect(short.map(([name]) => name)).toEqual([])
  })

  test('declares answers below 500 with the error body and an example for each code', () => {
    for (const [name, , { responses }] of operations) {
      const refusals = Object.entries(responses).filter(([status]) => /^4\d\d$/.test(status) || /^5\d\d$/.test(status))
      expect([name, refusals.length > 0]).toEqual([name, true])
      for (const [status, { content }] of refusals) {
        expect(content?.['application/json']?.schema).toEqual({ $ref: '#/components/schemas/Error' })
        for (const code of Object.keys(content?.['application/json']?.examples ?? {}))
          expect([code, errorTable[code as keyof typeof errorTable].status]).toEqual([code, Number(status)])
      }
    }
  })

  test('describes its parameters and names its preconditions', () => {
    for (const [name, { method, auth, isConditional = false }, { parameters, responses }] of operations) {
      expect(parameters.filter(({ description }) => description === '').map((each) => `${name}.${each.name}`)).toEqual(
        [],
      )
      const sent = parameters.filter((each) => each.in === 'header').map((each) => each.name)
      const changes = isConditional || ['PUT', 'PATCH', 'DELETE'].includes(method)
      expect([name, sent.includes('If-Match'), '412' in responses]).toEqual([name, changes, changes])
      expect([name, sent.includes('Idempotency-Key')]).toEqual([name, method === 'POST' && auth === 'account'])
      if (method === 'PUT') expect(sent).toContain('If-None-Match')
    }
  })

  test('names the scopes that a token needs', () => {
    for (const [name, route, operation] of operations) {
      const scopes = route.auth === 'account' && route.scopes !== 'any' ? route.scopes : undefined
      expect([name, operation['x-scopes']]).toEqual([name, scopes])
    }
    expect(Object.keys(document.components.securitySchemes.bearer['x-scopes'])).toEqual(scopeNames)
  })

  test('names the headers of its answer: pages, and the requests that are left', () => {
    for (const [name, { list = false }, { responses }] of operations) {
      const sent = Object.keys(Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1].headers ?? {})
      expect([name, sent.includes('Link')]).toEqual([name, list])
      const isCounted = name !== 'getHealth' && name !== 'getReady'
      for (const header of ['RateLimit', 'RateLimit-Policy'])
        expect([name, sent.includes(header)]).toEqual([name, isCounted])
    }
  })

  test('belongs to a group that is described', () => {
    const described = document.tags.map(({ name }) => name)
    for (const [, , { tags }] of operations) for (const tag of tags) expect(described).toContain(tag)
  })

  test('takes a body that has a name', () => {
    const nameless = operations.filter(([, { body }, { requestBody }]) => {
      const schema = requestBody?.content['application/json']?.schema
      return body && !(schema && '$ref' in schema)
    })
    expect(nameless.map(([name]) => name)).toEqual([])
  })
})

test('no schema of an answer refuses further fields', () => {
  const closed = new Set<string>()
  const visit = (value: unknown, seen: Set<string>): boolean => {
    if (typeof value !== 'object' || value === null) return false
    if ('additionalProperties' in value && value.additionalProperties === false) return true
    return Object.values(value).some((inner) => {
      const name = typeof inner === 'string' ? /^#\/components\/schemas\/(.+)$/.exec(inner)?.[1] : undefined
      if (name === undefined) return visit(inner, seen)
      if (seen.has(name)) return false
      seen.add(name)
      return visit(document.components.schemas[name], seen)
    })
  }
  for (const [name, , { responses }] of operations)
    if (Object.values(responses).some((answer) => visit(answer, new Set()))) closed.add(name)
  expect([...closed]).toEqual([])
})

test('definitions in answers are typed', () => {
  const { schemas } = document.components
  expect(JSON.stringify(schemas.TriggerDraftView)).toContain('#/components/schemas/LooseTriggerSpec')
  for (const [name, field] of [
    ['LooseTriggerSpec', 'abiFragment'],
    ['LooseProvider', 'queryParams'],
    ['LooseCanonicalTransform', 'rawSource'],
    ['LoosePolicy', 'cooldown'],
  ] as const)
    expect([name, JSON.stringify(schemas[name]).includes(`"${field}":`)]).toEqual([name, true])
})

test('every property of requests and answers says what it means', () => {
  const silent: string[] = []
  const visit = (value: unknown, place: string): void => {
    if (typeof value !== 'object' || value === null) return
    for (const [key, inner] of Object.entries(value)) {
      if (['example', 'examples', 'default'].includes(key)) continue
      if (key === 'properties' && !Array.isArray(value))
        for (const [name, property] of Object.entries(inner as Record<string, { description?: string }>))
          if (!property.description) silent.push(`${place}.${name}`)
      visit(inner, key === 'properties' ? place : `${place}/${key}`)
    }
  }
  visit(document.components.schemas, '')
  visit(document.paths, '')
  visit(document.webhooks, '')
  expect(silent).toEqual([])
})

test('the backend of a trigger is typed: what it listens to without a triggerSpec', () => {
  const view = document.components.schemas.TriggerView as { properties: { backend: { $ref?: string } } }
  const name = view.properties.backend.$ref?.split('/').at(-1) ?? ''
  expect(Object.keys(document.components.schemas[name]?.properties ?? {})).toEqual(['type', 'trigger', 'values'])
})

test('streams are server-sent events', () => {
  const stream = operations.find(([name]) => name === 'streamEvents')?.[2].responses['200']
  expect(Object.keys(stream?.content ?? {})).toEqual(['text/event-stream'])
})

describe('the webhooks', () => {
  test('describe the body that is delivered', () => {
    const context = {
      alertId: 'a1',
      subscription: 's1',
      workspace: 'acme',
      project: 'acme.p',
      trigger: 'acme.p.t',
      severity: 'info' as const,
      state: null,
      backfilled: false,
      rawJson: '{"value":"1"}',
      humanJson: '{}',
      createdAt: new Date(0),
    }
    const types = (['alert', 'retraction', 'test'] as const).map((kind) => {
      const body = JSON.parse(standardBody({ kind, messageJson: '{"title":"T"}', context }))
      expect(WebhookPayload.parse(body)).toEqual(body)
      return body.type
    })
    const resolved = {
      ...context,
      state: 'resolved' as const,
      resolves: 'a0',
      durationMs: 5,
      source: 's',
      block: { number: 1, hash: '0x' },
    }
    const last = JSON.parse(standardBody({ kind: 'alert', messageJson: '{"title":"T"}', context: resolved }))
    expect(WebhookPayload.parse(last)).toEqual(last)
    expect([...types, last.type].sort()).toEqual(Object.keys(document.webhooks).sort())
  })
})

test('all references resolve', () => {
  const references = [...text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map((match) => match[1] ?? '')
  for (const id of new Set(references)) expect(document.components.schemas).toHaveProperty(id)
})

test('the reference page has every operation and loads only its own style and script', async () => {
  const response = await fetch(`${house.url}/api/docs`)
  const page = await response.text()
  expect(response.headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self'")
  const loaded = [...page.matchAll(/<(?:link|script|img|iframe|source)[^>]*(?:href|src)="([^"]*)"/g)].map(
    ([, url]) => url,
  )
  expect(loaded).toEqual(['/api/docs/reference.css', '/api/docs/scheme.js', '/api/docs/reference.js'])
  expect(page).not.toMatch(/<style|<script>| style="| on\w+="/)
  for (const path of loaded) expect((await fetch(`${house.url}${path}`)).status).toBe(200)
  for (const name of Object.keys(routes)) expect(page).toContain(`id="${name}"`)
  for (const code of Object.keys(errorTable)) expect(page).toContain(`id="error-${code}"`)
})

describe('the examples', () => {
  test('can be sent as they are, one after the other, and their answers fit the document', async () => {
    const ajv = validator()
    let token = ''
    const sent: string[] = []
    for (const operation of inOrder()) {
      const response = await send(operation, token)
      const body: unknown = await response.json()
      expect([operation.operationId, response.status, body]).toEqual([operation.operationId, 200, body])
      if (operation.operationId === 'signUp') token = (body as { token: string }).token
      const answer = operation.responses['200']?.content?.['application/json']
      const check = ajv.compile(absolute(answer?.schema))
      expect([operation.operationId, check(body), check.errors]).toEqual([operation.operationId, true, null])
      sent.push(operation.operationId)
    }
    expect(sent.length).toBeGreaterThan(20)
  })

  test('of every body and every answer fit their schemas', () => {
    const ajv = validator()
    const bodies = operations.flatMap(([name, , { requestBody }]) =>
      Object.entries(requestBody?.content ?? {}).map(([, { schema, examples }]) => [
        `body of ${name}`,
        schema,
        Object.values(examples ?? {})[0]?.value,
      ]),
    )
    const answers = operations.map(([name, , { responses }]) => {
      const media = responses['200']?.content?.['application/json']
      return [`answer of ${name}`, media?.schema, media?.example]
    })
    for (const [of, schema, example] of [...bodies, ...answers]) {
      if (schema === undefined) continue
      const check = ajv.compile(absolute(schema))
      expect([of, example !== undefined, check(example), check.errors]).toEqual([of, true, true, null])
    }
  })
})

function validator(): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  ajv.addSchema(document, 'document')
  return ajv
}

/** The operations with examples, in the order in which one builds on the other. */
function inOrder(): Operation[] {
  return Object.keys(operationExamples).flatMap((name) => {
    const found = operations.find(([each]) => each === name)?.[2]
    return found ? [found] : []
  })
}

/** Sends what the document shows: the example of the body, and the examples of the parameters in the path. */
function send({ operationId, parameters, requestBody }: Operation, token: string): Promise<Response> {
  const { method, path } = routes[operationId]
  const filled = path.replace(/:(\w+)/g, (_, name) => parameters.find((each) => each.name === name)?.example ?? '')
  const [example] = Object.values(requestBody?.content['application/json']?.examples ?? {})
  return fetch(`${house.url}${filled}`, {
    method,
    headers: {
      ...(token !== '' && { authorization: `Bearer ${token}` }),
      ...(example && { 'content-type': 'application/json' }),
    },
    ...(example && { body: JSON.stringify(example.value) }),
  })
}

/** The same schema with references into the document. */
function absolute(schema: unknown): Record<string, unknown> {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"document#/components/'))
}
