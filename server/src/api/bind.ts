import { Readable } from 'node:stream'
import { type ErrorBody, errorTable, issuesOf, type Route, type RouteName, routes } from '@tocsin/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { requireScope } from '../domain/access.ts'
import type { Identify, Identity, OidcSignIn, TokenPlaces } from '../domain/accounts/index.ts'
import type { StreamFeed } from '../domain/alerts/feed/index.ts'
import { Events } from '../domain/answers.ts'
import type { Attempts } from '../domain/attempts.ts'
import { boundStore, outsideWorkspace } from '../domain/bound-store.ts'
import type { Context, Handler, PublishSourceEvent } from '../domain/handler.ts'
import { invalidPayload, invalidQuery, notFound, Refusal } from '../domain/refusal.ts'
import type { Settings } from '../domain/settings.ts'
import type { TestLimits } from '../domain/test-limits.ts'
import type { BacktestJobs } from '../domain/triggers/backtest/jobs.ts'
import { isObject } from '../engine/base/json.ts'
import type { Engine } from '../engine/engine.ts'
import { readBodyInTurn } from '../engine/threads/index.ts'
import type { OpenStore, Store } from '../store/index.ts'
import { authenticate, callerOf, header } from './authenticate.ts'
import { toRefusal } from './errors.ts'
import type { Handlers } from './handlers.ts'
import { addVary, prefersType } from './headers.ts'
import { decodeCursor, type HttpReply, refusalReply, toHttpReply, toJson } from './http-reply.ts'
import { keyContentOf, keyScopeOf, onceInTransaction, onceWithClaim } from './idempotency.ts'
import { type Lanes, laneOf } from './lanes.ts'
import { acceptForms } from './pages.ts'
import { addressKey, type RateLimits, rateHeaders, requireRate } from './rate-limits.ts'
import { resultReply, streamReply, wantsEvents } from './streams/events.ts'
import type { StreamGuard } from './streams/guard.ts'

declare module 'fastify' {
  interface FastifyRequest {
    identity: Identity | undefined
    startedAt: Date
    /** Of a request with an Idempotency-Key. */
    bodyHash: string | undefined
  }
}

export type Binding = {
  store: OpenStore
  settings: Settings
  clock: () => Date
  identify: Identify
  limits: { accounts: RateLimits; addresses: RateLimits }
  lanes: Lanes
  attempts: Attempts
  tokenPlaces: TokenPlaces
  testLimits: TestLimits
  backtests: BacktestJobs
  streams: StreamFeed
  engine: Engine
  /** Set if the operator has configured a client of an identity provider. */
  oidcSignIn: OidcSignIn | undefined
  publishSourceEvent: PublishSourceEvent
  rates: { accountPerMinute: number; addressPerMinute: number }
  bodyBytesMax: number
  imageBodyBytesMax: number
  stackBodyBytesMax: number
  /** Aborted when the service begins to stop, so that streams end. */
  draining: AbortSignal
  /** Ends streams whose caller may no longer read them. */
  guard: StreamGuard
  /** Adds headers of a route to its response, such as the console's cookies. */
  addHeaders: (name: RouteName, reply: HttpReply) => HttpReply
}

/**
 * Binds the route table to Fastify. A request is authenticated and counted before its body is read, then parsed,
 * handled and answered.
 */
export function bindRoutes(app: FastifyInstance, handlers: Handlers, binding: Binding): void {
  app.decorateRequest('identity')
  app.decorateRequest('startedAt')
  app.decorateRequest('bodyHash')
  for (const [name, route] of Object.entries(routes) as [RouteName, Route][]) {
    const handler = handlers[name] as Handler<RouteName>
    const options: RouteOptions = {
      method: route.method,
      url: route.path,
      bodyLimit: bodyLimitOf(route, binding),
      onRequest: (request, reply) => admit(request, reply, name, route, binding),
      handler: async (request, reply) =>
        send(reply, binding.addHeaders(name, await respond(request, name, route, handler, binding))),
    }
    if (route.bodyKind === 'form') acceptForms(app, (forms) => void forms.route(options))
    else app.route(options)
  }
}

function bodyLimitOf({ bodyKind }: Route, binding: Binding): number {
  if (bodyKind === 'image') return binding.imageBodyBytesMax
  return bodyKind === 'stack' ? binding.stackBodyBytesMax : binding.bodyBytesMax
}

/** Admits the request, or refuses it before any byte of its body is read. */
async function admit(request: FastifyRequest, reply: FastifyReply, name: RouteName, route: Route, binding: Binding) {
  request.startedAt = binding.clock()
  if (name === 'getHealth' || name === 'getReady') return
  const identity =
    route.auth === 'account'
      ? await authenticate(request, binding.store, binding.identify, request.startedAt)
      : undefined
  request.identity = identity
  const usage = identity
    ? binding.limits.accounts.spend(identity.account.id, binding.rates.accountPerMinute, request.startedAt)
    : binding.limits.addresses.spend(addressKey(request.ip), binding.rates.addressPerMinute, request.startedAt)
  reply.headers(rateHeaders(identity ? 'account' : 'address', usage))
  requireRate(usage)
  if (identity) await noteToken(identity, request, binding)
  if (route.auth === 'none') return
  if (!identity) throw new Refusal('unauthenticated')
  requireAccess(route, identity, request.params as Record<string, string>)
  const lane = laneOf(route)
  if (!lane) return
  const leave = await binding.lanes.enter(identity.account.id, lane)
  // The caller may have gone while it waited.
  if (reply.raw.destroyed) leave()
  else reply.raw.once('close', leave)
}

function noteToken(identity: Identity, request: FastifyRequest, { tokenPlaces, store, engine }: Binding) {
  return tokenPlaces.note(store, identity, { caller: callerOf(request), now: request.startedAt, engine })
}

async function respond(
  request: FastifyRequest,
  name: RouteName,
  route: Route,
  handler: Handler<RouteName>,
  binding: Binding,
): Promise<HttpReply> {
  const context = await contextOf(request, name, route, binding)
  const workspace = request.identity?.access.workspace
  const run = async (unbound: Store) => {
    const store = workspace ? boundStore(unbound, workspace) : unbound
    const answer = await handler({ ...context, store })
    return answer instanceof Events ? resultReply(answer, request) : toHttpReply(route, answer, request.url)
  }
  if (route.events && wantsEvents(route, request)) {
    const answer = await handler(workspace ? { ...context, store: boundStore(context.store, workspace) } : context)
    if (answer instanceof Events) return streamReply(answer, request, binding)
  }
  if (mayReadReplica(name, route)) return binding.store.read(run, (error) => error instanceof Refusal)
  const key = header(request, 'idempotency-key')
  if (route.method !== 'POST' || key === undefined || !request.identity) return run(binding.store)
  const { account, access } = request.identity
  const scope = keyScopeOf(name, request.params, access)
  const keyed = {
    store: binding.store,
    request: { accountId: account.id, scope, key, content: keyContentOf(request) },
    clock: binding.clock,
  }
  const runOnce = (store: Store) => runToReply(() => run(store), request.id)
  if (route.reachesNetwork) return onceWithClaim(keyed, () => runOnce(binding.store))
  return onceInTransaction(keyed, runOnce)
}

/** Lists and logs. Single entities come from the primary, because a save compares their ETag. */
function mayReadReplica(name: RouteName, route: Route): boolean {
  // This list also ends the requests that have expired.
  if (name === 'listTransferRequests') return false
  return route.list === true || name === 'getTriggerLogs' || name === 'getCustomSourceLogs'
}

/** A refusal is kept too, so that a repeat gets it again. An internal error is not kept. */
async function runToReply(run: () => Promise<HttpReply>, requestId: string): Promise<HttpReply> {
  try {
    return await run()
  } catch (error) {
    const reply = refusalReply(toRefusal(error), requestId)
    if (reply.status >= 500 || reply.status === 429) throw error
    return reply
  }
}

async function contextOf(
  request: FastifyRequest,
  name: RouteName,
  route: Route,
  binding: Binding,
): Promise<Context<RouteName>> {
  const context = {
    account: request.identity?.account,
    tokenId: request.identity?.tokenId,
    access: request.identity?.access,
    address: addressKey(request.ip),
    ip: request.ip,
    caller: callerOf(request),
    attempts: binding.attempts,
    testLimits: binding.testLimits,
    backtests: binding.backtests,
    streams: binding.streams,
    publishSourceEvent: binding.publishSourceEvent,
    engine: binding.engine,
    beginVisit: binding.oidcSignIn?.begin,
    params: paramsOf(request),
    query: queryOf(request, route),
    body: await bodyOf(request, name, binding),
    lastEventId: header(request, 'last-event-id'),
    preconditions: { ifMatch: header(request, 'if-match'), ifNoneMatch: header(request, 'if-none-match') },
    store: binding.store,
    now: request.startedAt,
    settings: binding.settings,
  }
  // The route table ties each name to its context. Inside this loop over all names the compiler cannot know that.
  return context as Context<RouteName>
}

function paramsOf(request: FastifyRequest): unknown {
  const params = request.params as Record<string, string>
  if (Object.values(params).some((value) => value.includes('\0'))) throw notFound()
  return params
}

function queryOf(request: FastifyRequest, route: Route): unknown {
  if (!route.query) return undefined
  const read = route.query.safeParse({ ...(request.query as object) })
  if (!read.success) throw invalidQuery(issuesOf(read.error))
  const query: Record<string, unknown> = read.data
  if (Object.values(query).some((value) => typeof value === 'string' && value.includes('\0')))
    throw new Refusal('invalid_query', 'The query contains a NUL character.')
  return typeof query.cursor === 'string' ? { ...query, cursor: decodeCursor(query.cursor) } : query
}

async function bodyOf(request: FastifyRequest, route: RouteName, { settings }: Binding): Promise<unknown> {
  const bytes = (request.body as Buffer | undefined) ?? noBytes
  const caller = request.identity?.account.id ?? addressKey(request.ip)
  const read = await readBodyInTurn(caller, { route, bytes, limits: settings.limits })
  if (read.ok) return read.body
  if ('issues' in read) throw invalidPayload(read.issues)
  throw new Refusal('invalid_json', `The body is not valid JSON: ${read.json}`)
}

const noBytes = Buffer.alloc(0)

export function send(reply: FastifyReply, content: HttpReply): FastifyReply {
  reply.code(content.status).headers(content.headers)
  if (content.body === undefined) return reply.send()
  if (Buffer.isBuffer(content.body) || content.body instanceof Readable) return reply.send(content.body)
  if (isErrorBody(content.body)) return sendError(reply, content.body)
  return reply.type('application/json; charset=utf-8').send(toJson(content.body))
}

function isErrorBody(body: unknown): body is ErrorBody {
  return isObject(body) && isObject(body.error) && Object.keys(body).length === 1
}

/** A caller that accepts problem details gets the same error in that form. */
function sendError(reply: FastifyReply, body: ErrorBody): FastifyReply {
  addVary(reply, 'Accept')
  if (prefersType(reply.request, problemType)) return reply.type(problemType).send(JSON.stringify(problemOf(body)))
  return reply.type('application/json; charset=utf-8').send(JSON.stringify(body))
}

const problemType = 'application/problem+json'

/** An error as RFC 9457 problem details. The path of the request is not named: it can hold a token. */
function problemOf({ error }: ErrorBody) {
  const { code, message, details, requestId } = error
  const { status, message: title } = errorTable[code]
  return {
    type: `/api/docs#error-${code}`,
    title,
    status,
    detail: message,
    instance: `urn:tocsin:request:${requestId}`,
    code,
    details,
    requestId,
  }
}

/** Refuses a call that the caller's token does not allow, before its body is read. */
function requireAccess(route: Route, { access, tokenKind }: Identity, params: Record<string, string>): void {
  if (route.auth === 'none' || route.scopes === 'any') return
  requireScope(access, route.scopes)
  if (route.sessionOnly && tokenKind !== 'session') throw new Refusal('insufficient_scope', noToken)
  const { workspace } = access
  if (!workspace) return
  const name = params.fullname ?? params.workspace
  const isOutside = name !== undefined && name.split('.')[0] !== workspace.fullname
  if (isOutside || isOfAccount(route)) throw outsideWorkspace(workspace)
}

const noToken =
  'No token can do this. Sign in to your account in the console. An account without another way to sign in sets a password first.'

/**
 * True for routes of the account itself: tokens, sessions, the address book. A bound token may only ask whose token it is.
 */
function isOfAccount({ path, method }: Route): boolean {
  if (path === '/api/me') return method !== 'GET'
  return /^\/api\/(me|addresses)(\/|$)/.test(path)
}
