import * as z from 'zod'
import { errorTable } from '../base/errors.ts'
import { routes } from './index.ts'
import type { Route } from './route.ts'

type Json = Record<string, unknown>
type SchemaOf = (schema: z.ZodType, io: 'input' | 'output') => unknown

/** The contract as OpenAPI 3.1, built from the route table that the server and the SDK use. */
export function openApi(version: string): Json {
  const schemas: Json = { Error: errorSchema }
  const paths: Record<string, Json> = {}
  for (const [name, route] of Object.entries<Route>(routes)) {
    const path = route.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(name, route, schemas) }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Tocsin', version, description: 'Project, trigger and workspace management.' },
    servers: [{ url: '/' }],
    security: [{ bearer: [] }],
    tags: [...new Set(Object.values<Route>(routes).map((route) => route.noun))].map((name) => ({ name })),
    paths,
    components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } }, schemas },
  }
}

const errorSchema = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message', 'details', 'requestId'],
      properties: {
        code: { type: 'string', enum: Object.keys(errorTable) },
        message: { type: 'string' },
        details: { type: 'object' },
        requestId: { type: 'string' },
      },
    },
  },
}

function operation(name: string, route: Route, schemas: Json): Json {
  const schemaOf = (schema: z.ZodType, io: 'input' | 'output') => hoisted(schema, io, name, schemas)
  return {
    operationId: name,
    summary: route.summary,
    tags: [route.noun],
    ...(route.auth === 'none' ? { security: [] } : {}),
    parameters: [...pathParameters(route), ...queryParameters(route, schemaOf)],
    ...(route.body ? { requestBody: requestBody(route, route.body, schemaOf) } : {}),
    responses: {
      ...successReply(route, schemaOf),
      default: { description: 'A refusal', content: json({ $ref: '#/components/schemas/Error' }) },
    },
  }
}

function pathParameters(route: Route): Json[] {
  return [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
}

function queryParameters(route: Route, schemaOf: SchemaOf): Json[] {
  return Object.entries(route.query?.shape ?? {}).map(([name, schema]) => ({
    name,
    in: 'query',
    required: false,
    schema: schemaOf(schema as z.ZodType, 'input'),
  }))
}

function requestBody(route: Route, body: z.ZodType, schemaOf: SchemaOf): Json {
  return { required: !route.bodyOptional, content: json(schemaOf(body, 'input')) }
}

function successReply(route: Route, schemaOf: SchemaOf): Json {
  if (route.reply === 'empty') return { 204: { description: 'Done' } }
  if (route.reply === 'picture') return { 200: { description: 'The picture', content: { 'image/*': {} } } }
  return { 200: { description: 'Done', content: json(schemaOf(route.reply, 'output')) } }
}

function json(schema: unknown): Json {
  return { 'application/json': { schema } }
}

/** Moves named schemas to the document's components. Nameless recursive schemas get the name of their operation. */
function hoisted(schema: z.ZodType, io: 'input' | 'output', operationId: string, schemas: Json): unknown {
  const { $schema, ...made } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  const text = JSON.stringify(made).replaceAll('"#/$defs/__', `"#/$defs/${operationId}_${io}_`)
  const { $defs, ...rest } = JSON.parse(text.replaceAll('"#/$defs/', '"#/components/schemas/'))
  for (const [id, definition] of Object.entries($defs ?? {})) {
    schemas[id.replace(/^__/, `${operationId}_${io}_`)] = definition
  }
  return rest
}
