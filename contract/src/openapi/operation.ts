import type * as z from 'zod'
import type { RouteName } from '../routes/index.ts'
import type { Route } from '../routes/route.ts'
import { errorResponses } from './errors.ts'
import { type Example, exampleOf, type RecordedExamples } from './examples/index.ts'
import { headerParameters, headers, rateHeaderNames } from './headers.ts'
import type { Json } from './json-schema.ts'
import { wordFor } from './parameter-words.ts'
import type { Schemas } from './schemas.ts'
import { operationTexts } from './texts/index.ts'

/** One operation of the document. */
export function operation(name: RouteName, route: Route, schemas: Schemas, recorded: RecordedExamples): Json {
  const isCounted = name !== 'getHealth' && name !== 'getReady'
  const example = exampleOf(name, recorded)
  return {
    operationId: name,
    summary: route.summary,
    description: descriptionOf(name, route),
    tags: [route.noun],
    security: securityOf(route),
    ...(scopesOf(route).length > 0 && { 'x-scopes': scopesOf(route) }),
    parameters: [
      ...pathParameters(name, route, example),
      ...queryParameters(name, route, schemas, example),
      ...headerParameters(route, isCacheable(name)),
    ],
    ...(route.body && { requestBody: requestBody(name, route, route.body, schemas, example) }),
    responses: { ...successResponse(name, route, schemas, isCounted, example.reply), ...errorResponses(name) },
  }
}

/** The answers that are the same for everybody have an ETag of their content. */
function isCacheable(name: RouteName): boolean {
  return name === 'getTemplateHelpers' || name === 'getFileSchema'
}

/** A bearer token, or the cookie of a browser session, which needs the CSRF token for changes. */
function securityOf({ auth, method }: Route): Json[] {
  if (auth === 'none') return []
  return [{ bearer: [] }, method === 'GET' ? { session: [] } : { session: [], csrf: [] }]
}

/** OpenAPI knows scopes of OAuth alone, so those of our tokens are an extension, and a sentence of the description. */
function scopesOf(route: Route): readonly string[] {
  return route.auth === 'account' && route.scopes !== 'any' ? route.scopes : []
}

function descriptionOf(name: RouteName, route: Route): string {
  const scopes = scopesOf(route).map((scope) => `\`${scope}\``)
  const { description } = operationTexts[name]
  if (scopes.length === 0) return description
  return route.sessionOnly
    ? `${description} It needs a session; no personal access token can call it.`
    : `${description} A token needs the scope ${scopes.join(' or ')}.`
}

function pathParameters(name: RouteName, route: Route, example: Example): Json[] {
  return [...route.path.matchAll(/:(\w+)/g)].map(([, parameter = '']) => ({
    name: parameter,
    in: 'path',
    required: true,
    description: wordFor(name, route.noun, parameter) ?? '',
    schema: { type: 'string' },
    ...(example.params?.[parameter] !== undefined && { example: example.params[parameter] }),
  }))
}

function queryParameters(name: RouteName, route: Route, schemas: Schemas, example: Example): Json[] {
  return Object.entries<z.ZodType>(route.query?.shape ?? {}).map(([parameter, schema]) => ({
    name: parameter,
    in: 'query',
    required: !schema.safeParse(undefined).success,
    description: wordFor(name, route.noun, parameter) ?? '',
    schema: schemas.of(schema, 'input', name),
    ...(example.query?.[parameter] !== undefined && { example: example.query[parameter] }),
  }))
}

function requestBody(name: RouteName, route: Route, body: z.ZodType, schemas: Schemas, example: Example): Json {
  const media = {
    schema: schemas.of(body, 'input', name),
    ...(example.body !== undefined && {
      examples: { [name]: { summary: example.summary ?? route.summary, value: example.body } },
    }),
  }
  return { required: !route.bodyOptional, content: { 'application/json': media } }
}

function successResponse(name: RouteName, route: Route, schemas: Schemas, isCounted: boolean, example: unknown): Json {
  const { reply, list, events } = route
  const isTagged = operationTexts[name].hasTag === true || isCacheable(name)
  const own = [...(isTagged ? (['ETag'] as const) : []), ...(list ? (['Link'] as const) : [])]
  const common = headers(['X-Request-Id', 'X-API-Version', ...(isCounted ? rateHeaderNames : []), ...own])
  if (reply === 'empty') return { 204: { description: 'It is done. The answer has no body.', headers: common } }
  if (reply === 'picture') {
    const bytes = { schema: { type: 'string', contentMediaType: 'application/octet-stream' } }
    const content = { 'image/png': bytes, 'image/jpeg': bytes, 'image/webp': bytes }
    return { 200: { description: 'The bytes of the picture.', headers: common, content } }
  }
  const schema = schemas.of(reply, 'output', name)
  const answer = { schema, ...(example !== undefined && { example }) }
  const stream = { 'text/event-stream': { schema: events === 'only' ? schema : { type: 'string' } } }
  const content = { ...(events !== 'only' && { 'application/json': answer }), ...(events && stream) }
  const description = list
    ? 'One page of the list.'
    : route.events === 'only'
      ? 'The events, without an end.'
      : 'The answer.'
  const unchanged = isCacheable(name)
    ? { 304: { description: 'Nothing has changed since the answer with this ETag.', headers: common } }
    : {}
  return { 200: { description, headers: common, content }, ...unchanged }
}
