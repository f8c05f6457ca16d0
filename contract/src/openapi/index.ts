/** The contract as OpenAPI 3.1, built from the route table that the server and the SDK use. */
import { scopeTable } from '../base/scopes.ts'
import type { RouteName } from '../routes/index.ts'
import { routes } from '../routes/index.ts'
import type { Route } from '../routes/route.ts'
import { describeProperties, describeSchemas } from './describe-properties.ts'
import { errorExamples, errorSchemas } from './errors.ts'
import type { RecordedExamples } from './examples/index.ts'
import { headerComponents } from './headers.ts'
import type { Json } from './json-schema.ts'
import { operation } from './operation.ts'
import { collectSchemas } from './schemas.ts'
import { tagWords } from './tag-words.ts'
import { webhooks } from './webhooks.ts'

export { examples as operationExamples, type RecordedExamples } from './examples/index.ts'
export { refusalsOf } from './refusals.ts'
export { operationTexts } from './texts/index.ts'
export { WebhookPayload } from './webhooks.ts'

/** `publicUrl` is where people find the service. Operations without an example of their own show what was recorded. */
export function openApi(version: string, publicUrl: string, recorded: RecordedExamples): Json {
  const schemas = collectSchemas(errorSchemas)
  const paths: Record<string, Json> = {}
  const table = Object.entries<Route>(routes) as [RouteName, Route][]
  for (const [name, route] of table) {
    const path = route.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(name, route, schemas, recorded) }
  }
  const sent = webhooks(schemas)
  return {
    openapi: '3.1.0',
    info: { ...info, version, contact: { name: 'The operator of this service', url: publicUrl } },
    servers: [{ url: '/', description: 'This service' }],
    security: [{ bearer: [] }],
    tags: Object.keys(tagWords)
      .sort()
      .map((name) => ({ name, description: tagWords[name] })),
    paths: describeProperties(paths),
    webhooks: describeProperties(sent),
    components: {
      securitySchemes,
      headers: headerComponents,
      examples: errorExamples(table.map(([name]) => name)),
      schemas: describeSchemas(schemas.usedBy([paths, sent])),
    },
  }
}

const info = {
  title: 'Tocsin',
  summary: 'Tells people what happens on chain.',
  description: [
    'The API of a Tocsin service. Send `Authorization: Bearer <token>`; a signed-in account creates tokens at `POST /api/me/tokens`.',
    'PUT is a full save: an omitted optional field is cleared. Lists are pages: `limit` and `cursor`, and `Link` leads to the next page.',
    'Every error has a `code` for programs and a `message` for people. What an account may not see answers 404, what it may not do answers 403.',
    'The API grows by additions: ignore fields, codes and event types that you do not know.',
  ].join('\n\n'),
  license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
}

const securitySchemes = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    'x-scopes': scopeTable,
    description: [
      'A personal access token, a session token, or a token of the configured identity provider.',
      'A personal access token has scopes, and each operation names the one that it needs:',
      ...Object.entries(scopeTable).map(([scope, meaning]) => `\`${scope}\`: ${meaning}`),
    ].join('\n\n'),
  },
  session: { type: 'apiKey', in: 'cookie', name: 'tocsin_session', description: 'The session of the console.' },
  csrf: {
    type: 'apiKey',
    in: 'header',
    name: 'X-CSRF-Token',
    description: 'The value of the cookie `tocsin_csrf`. Changes by cookie need it; calls with a bearer token do not.',
  },
}
