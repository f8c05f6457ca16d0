import type * as z from 'zod'
import type { RouteName } from '../routes/index.ts'
import type { Route } from '../routes/route.ts'
import { errorResponses } from './errors.ts'
import { type Example, exampleOf, type RecordedExamples } from './examples/index.ts'
import { headerParameters, headers, rateHeaderNames } from './headers.ts'
import type { Json } from './json-schema.ts'
import type { Schemas } from './schemas.ts'

/** One operation of the document. */
export function operation(name: RouteName, route: Route, schemas: Schemas, recorded: RecordedExamples): Json {
  const isCounted = name !== 'getHealth' && name !== 'getReady'
  const example = exampleOf(name, recorded)
  return {
    operationId: name,
    summary: route.summary,
    description: descriptionOf(route),
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

function descriptionOf(route: Route): string {
  const scopes = scopesOf(route).map((scope) => `\`${scope}\``)
  const { description } = route
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
  const { reply, list, events, hasTag = false } = route
  const isTagged = hasTag || isCacheable(name)
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

/** What the parameters in paths and queries mean. `<operation>.<name>` goes before `<noun>.<name>` and `<name>`. */
const parameterWords: Readonly<Record<string, string>> = {
  // In paths.
  'workspaces.fullname': 'The name of the workspace, such as `acme`.',
  'stacks.fullname': 'The name of the workspace, such as `acme`.',
  'projects.fullname': 'The fullname of the project: workspace and name, such as `acme.monitors`.',
  'transfers.fullname': 'The fullname of the project: workspace and name, such as `acme.monitors`.',
  'templates.fullname': 'The fullname of the project: workspace and name, such as `acme.monitors`.',
  'triggers.fullname': 'The fullname of the trigger: project and name, such as `acme.monitors.large-transfers`.',
  'resources.fullname': 'The fullname of the resource: workspace and name, such as `acme.ops-webhook`.',
  'custom-sources.fullname': 'The fullname of the source: workspace and name, such as `acme.devnet`.',
  'address-lists.fullname': 'The fullname of the address list: workspace and name, such as `acme.exchanges`.',
  'workspaces.workspace': 'The name of the workspace, such as `acme`.',
  'resendFailed.fullname': 'The name of the workspace, such as `acme`.',
  number: 'The number of the version.',
  stack: 'The name of the stack.',
  entryId: 'The id of the member’s entry in the list of members.',
  fileName: 'The `fileName` that the upload answered.',
  asset: 'The `fileName` that the upload answered.',
  kind: 'The kind of file, such as `trigger`.',
  'projects.name': 'The name of the secret: letters, digits, `_` and `-`.',
  'projects.token': 'The token of the access link.',
  'resources.token': 'The token of the link. It authorizes the call, so keep it secret.',
  'subscriptions.token': 'The token of the link in the e-mail. It authorizes the call.',
  id: 'The id of the entity.',
  'accounts.id': 'The id of the token, session or factor, as the list answers it.',
  'transfers.id': 'The id of the transfer request.',
  'templates.id': 'The id of the template.',
  'subscriptions.id': 'The id of the subscription.',
  'alerts.id': 'The id of the alert.',
  'addresses.id': 'The id of the entry in the address book.',
  'deleteAccessLink.id': 'The id of the access link.',
  'deleteInvitation.id': 'The id of the invitation.',
  'saveAddon.id': 'The id of the add-on subscription.',
  'getSetupSession.id': 'The id of the setup session.',
  'cancelSetupSession.id': 'The id of the setup session.',

  // In queries.
  limit: 'How many entries a page has at most.',
  cursor: 'Where the page starts: the cursor in the `Link` header of the page before.',
  workspace: 'Only entries of this workspace.',
  project: 'Only entries of this project, by its fullname.',
  trigger: 'Only entries of this trigger, by its fullname.',
  subscription: 'Only alerts of this subscription, by its id.',
  severity: 'Only alerts of this severity.',
  'alerts.state': 'Only alerts of this state.',
  'alerts.since': 'Only alerts that were recorded at this time or later.',
  'alerts.q': 'Only alerts whose title, text or trigger name contains this text.',
  status: 'Only entries with this status.',
  scope: 'Which projects: public and free ones, those that the account may edit, or all that it may read.',
  level: 'Only entries of this level and above.',
  direction: 'Entries before `datetime`, newest first, or after it, oldest first.',
  'transfers.direction': 'Requests into the workspaces of the account, or out of them.',
  datetime: 'The time at which the entries begin, exclusive. By default now.',
  source: 'The fullname of the source.',
  actor: 'Only changes by this account, by its id.',
  action: 'Only changes of this kind, such as `trigger.save`.',
  before: 'Only entries before this time, or before the entry with this id; exclusive.',
  pallet: 'The name of the pallet.',
  range: 'The time up to now that the answer covers.',
  q: 'The text to search for.',
  'search.limit': 'How many results of each kind.',
}

function wordFor(operation: string, noun: string, name: string): string | undefined {
  return parameterWords[`${operation}.${name}`] ?? parameterWords[`${noun}.${name}`] ?? parameterWords[name]
}
