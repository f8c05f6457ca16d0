/** HTTP in, HTTP out: the only folder that knows status codes. */

import { createHash, hash, randomUUID } from 'node:crypto'
import { type Method, type Route, type RouteName, routes } from '@tocsin/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import Fastify from 'fastify'
import type { Logger } from 'pino'
import { type Identify, makeTokenPlaces, type OidcSignIn } from '../domain/accounts/index.ts'
import { makeStreamFeed } from '../domain/alerts/feed/index.ts'
import { makeAttempts } from '../domain/attempts.ts'
import type { PublishSourceEvent } from '../domain/handler.ts'
import type { StackCalls } from '../domain/marketplace/index.ts'
import { Refusal } from '../domain/refusal.ts'
import type { Settings } from '../domain/settings.ts'
import { pauseByToken } from '../domain/subscriptions/change.ts'
import { makeTestLimits } from '../domain/test-limits.ts'
import { makeBacktestJobs } from '../domain/triggers/backtest/jobs.ts'
import type { Engine } from '../engine/engine.ts'
import type { Metrics } from '../metrics/index.ts'
import type { OpenStore, Store } from '../store/index.ts'
import { header } from './authenticate.ts'
import { type Binding, bindRoutes, send } from './bind.ts'
import { addCompression } from './compress.ts'
import { clearedCookies, sessionCookies, stateCookie } from './cookies.ts'
import { toRefusal } from './errors.ts'
import { allHandlers } from './handlers.ts'
import { addHeaders, fixedHeaders } from './headers.ts'
import { addWriteLimit, type HttpReply, refusalReply } from './http-reply.ts'
import { makeLanes } from './lanes.ts'
import { addMetrics, type MetricsAccess } from './metrics.ts'
import { addOidcPages, oidcPaths } from './oidc-pages.ts'
import { acceptForms, addConfirmPage, sendPage } from './pages.ts'
import { makeRateLimits } from './rate-limits.ts'
import { addDocs, docsPaths } from './reference/docs.ts'
import { addRequestLog } from './request-log.ts'
import { makeStackCalls } from './stack-calls.ts'
import { makeStreamGuard } from './streams/guard.ts'
import { systemHandlers } from './system.ts'
import { addTelegramWebhook, type TelegramWebhook } from './telegram-webhook.ts'
import { addConsole } from './web/console-files.ts'
import { addDocsSite } from './web/docs-site.ts'

export type ApiOptions = {
  store: OpenStore
  engine: Engine
  /** Publishes an event to the triggers that listen to a source. */
  publishSourceEvent: PublishSourceEvent
  settings: Settings
  clock: () => Date
  identify: Identify
  log: Logger
  rates: Binding['rates'] & {
    testsPerMinute: number
    testSecondsPerMinute: number
    workspaceTestSecondsPerMinute: number
  }
  bodyBytesMax: number
  imageBodyBytesMax: number
  stackBodyBytesMax: number
  corsOrigins: readonly string[]
  /** Whose `X-Forwarded-For` is trusted: the nearest n proxies, or the proxies at these addresses. */
  trustProxy: false | number | string[]
  metricsAccess: MetricsAccess
  metrics: Metrics
  /** Set if the bot gets its updates by webhook. */
  botWebhook?: TelegramWebhook | undefined
  /** Set if the operator has configured a client of an identity provider. */
  oidcSignIn: OidcSignIn | undefined
}
export type Api = { app: FastifyInstance; stacks: StackCalls; drain(): void }

export function buildApi(options: ApiOptions): Api {
  const fixed = fixedHeaders(options.settings)
  const app = makeApp(options, fixed)
  const system = systemHandlers(options.store)
  addHeaders(app, fixed, options.corsOrigins)
  addNotModified(app)
  addCompression(app)
  addWriteLimit(app)
  addRequestLog(app, options.log, options.metrics.meter)
  addRefusals(app, options.log)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, bytes: Buffer) => {
      if (request.headers['idempotency-key'] !== undefined) request.bodyHash = hash('sha256', bytes)
      // Each route reads it, when it is known whose it is and what it may be.
      return bytes
    },
  )
  const handlers = allHandlers(system.handlers)
  const binding: Binding = {
    ...options,
    limits: { accounts: makeRateLimits(), addresses: makeRateLimits() },
    lanes: makeLanes(),
    attempts: makeAttempts(),
    tokenPlaces: makeTokenPlaces(),
    streams: makeStreamFeed(options.store.read, options.settings.limits.streams, (error) =>
      options.log.warn({ error: error.message }, 'the event streams could not read the store; they will retry'),
    ),
    testLimits: makeTestLimits({
      perMinute: options.rates.testsPerMinute,
      secondsPerMinute: options.rates.testSecondsPerMinute,
      workspaceSecondsPerMinute: options.rates.workspaceTestSecondsPerMinute,
    }),
    backtests: makeBacktestJobs({
      store: options.store,
      clock: options.clock,
      draining: system.draining,
      warn: (error) => options.log.warn({ error }, 'could not record a backtest; it will be retried'),
    }),
    addHeaders: makeAddHeaders(options.settings, options.identify),
    draining: system.draining,
    guard: makeStreamGuard(options.store, options.clock, (error) =>
      options.log.warn({ error: error.message }, 'could not check who may read the event streams; it will be retried'),
    ),
  }
  bindRoutes(app, handlers, binding)
  addDocs(app, options.settings)
  addUnsubscribePage(app, options.store, options.clock)
  addConfirmPage(app, options.store, options.clock)
  addOidcPages(app, options)
  if (options.botWebhook) addTelegramWebhook(app, options.botWebhook)
  addMetrics(app, options.metrics, options.metricsAccess)
  addDocsSite(app)
  addConsole(app)
  refuseOtherMethods(app)
  return { app, stacks: makeStackCalls(handlers, binding), drain: system.drain }
}

function makeApp(options: ApiOptions, fixed: Record<string, string>): FastifyInstance {
  return Fastify({
    logger: false,
    trustProxy: trustOf(options.trustProxy),
    requestIdHeader: false,
    genReqId: (request) => requestIdOf(request.headers['x-request-id']),
    bodyLimit: options.bodyBytesMax,
    routerOptions: { maxParamLength: 1024 },
    forceCloseConnections: 'idle',
    // A request that arrived before the server closed is answered normally.
    return503OnClosing: false,
    // Handles a URL that cannot be parsed, which happens before any hook.
    frameworkErrors: (error, request, reply) =>
      send(reply.headers({ ...fixed, 'x-request-id': request.id }), refusalReply(toRefusal(error), request.id)),
  })
}

/** Fastify asks about each hop in turn, from the nearest one, 0. */
function trustOf(proxies: ApiOptions['trustProxy']): boolean | string[] | ((address: string, hop: number) => boolean) {
  return typeof proxies === 'number' ? (_address, hop) => hop < proxies : proxies
}

/** Keeps the caller's request id if it is safe to log. */
function requestIdOf(given: string | string[] | undefined): string {
  return typeof given === 'string' && /^[\w.-]{8,64}$/.test(given) ? given : randomUUID()
}

function addRefusals(app: FastifyInstance, log: Logger): void {
  app.setErrorHandler(async (error: Error, request, reply) => {
    const refusal = toRefusal(error)
    // PostgreSQL puts row values into the detail of an error, so only our own fields are logged.
    const bug = refusal.code === 'internal' ? error : refusal.cause
    if (bug instanceof Error) log.error({ requestId: request.id, error: bug.message, stack: bug.stack }, 'failed')
    await drainRefused(request, reply)
    return send(reply, refusalReply(refusal, request.id))
  })
  app.setNotFoundHandler((request, reply) =>
    send(reply, refusalReply(new Refusal('not_found', 'There is no such path.'), request.id)),
  )
}

/** Answers a known path with another method with 405 and the allowed methods. */
function refuseOtherMethods(app: FastifyInstance): void {
  const all: (Method | 'OPTIONS')[] = ['GET', 'PUT', 'POST', 'PATCH', 'DELETE', 'OPTIONS']
  const pages = [...docsPaths, '/metrics', '/api/unsubscribe/:token', '/api/confirm-email/:token', ...oidcPaths].map(
    (path) => ({
      path,
      method: 'GET',
    }),
  )
  const taken = Map.groupBy([...Object.values<Route>(routes), ...pages], ({ path }) => path)
  for (const [url, bound] of taken) {
    const methods: string[] = bound.map(({ method }) => method)
    app.route({
      method: all.filter((method) => !methods.includes(method)),
      url,
      handler: async (request, reply) => {
        reply.header('allow', methods.join(', '))
        return send(reply, refusalReply(new Refusal('method_not_allowed'), request.id))
      },
    })
  }
}

/** Adds headers to a route's response: the console's cookies, and caching of public data. */
function makeAddHeaders(settings: Settings, identify: Identify): (name: RouteName, reply: HttpReply) => HttpReply {
  const cookies = { secure: settings.publicUrl.startsWith('https:'), days: settings.sessionDays }
  return (name, reply) => {
    if (changesIdentities.includes(name)) identify.forget()
    if (signsIn.includes(name)) {
      const { token } = reply.body as { token: string }
      return withHeaders(reply, { 'set-cookie': sessionCookies(token, cookies) })
    }
    if (name === 'linkIdentity') {
      const state = new URL((reply.body as { url: string }).url).searchParams.get('state') ?? ''
      return withHeaders(reply, { 'set-cookie': stateCookie(state, cookies) })
    }
    if (name === 'signOut' || name === 'deleteMe') return withHeaders(reply, { 'set-cookie': clearedCookies() })
    if (name === 'getTemplateHelpers' || name === 'getFileSchema')
      return withHeaders(reply, { 'cache-control': 'public, max-age=3600' })
    return reply
  }
}

const signsIn: readonly RouteName[] = ['signIn', 'signUp', 'signInByToken', 'signInByPasskey', 'signInByWallet']

/**
 * After these routes a cached identity may be wrong: its tokens ended, or its account changed. A workspace takes the tokens
 * that are bound to it along.
 */
const changesIdentities: readonly RouteName[] = [
  'signOut',
  'deleteToken',
  'deleteWorkspace',
  'saveMe',
  'deleteMe',
  'changePassword',
  'changeEmail',
  'deleteSession',
  'resetPassword',
]

function withHeaders(reply: HttpReply, headers: HttpReply['headers']): HttpReply {
  return { ...reply, headers: { ...reply.headers, ...headers } }
}

/**
 * Gives public answers an ETag of their content, and answers 304 to a caller who has that content. Answers to accounts
 * are left out: their ETags are versions for `If-Match`, and what an account sees also depends on its role.
 */
function addNotModified(app: FastifyInstance): void {
  app.addHook<unknown>('onSend', (request, reply, payload, done) => {
    const isPublic = String(reply.getHeader('cache-control')).startsWith('public')
    if (!isPublic || reply.statusCode !== 200 || !(typeof payload === 'string' || Buffer.isBuffer(payload)))
      return done(null, payload)
    const tag = `W/"${createHash('sha256').update(payload).digest('base64url').slice(0, 22)}"`
    reply.header('etag', tag)
    const known = header(request, 'if-none-match')
      ?.split(',')
      .map((each) => each.trim())
    if (!known?.includes(tag)) return done(null, payload)
    reply.code(304).removeHeader('content-length').removeHeader('content-type')
    done(null, null)
  })
}

const drainMs = 5_000
const drainBytesMax = 64 * 1024 * 1024

/**
 * After refusing a large body, the server closes the connection. If it closed while the client still writes, the client
 * would see a broken pipe instead of the refusal. So the rest of the body is read and discarded first, up to a limit.
 */
async function drainRefused({ raw }: FastifyRequest, reply: FastifyReply): Promise<void> {
  if (raw.complete || raw.destroyed || reply.getHeader('connection') !== 'close') return
  await new Promise<void>((resolve) => {
    let bytes = 0
    const timer = setTimeout(resolve, drainMs)
    const end = () => {
      clearTimeout(timer)
      resolve()
    }
    raw.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > drainBytesMax) end()
    })
    raw.once('end', end).once('close', end).once('error', end)
    raw.resume()
  })
}

/**
 * The page for the unsubscribe link of an e-mail. Opening it changes nothing, because mail scanners open every link;
 * its button does.
 */
function addUnsubscribePage(app: FastifyInstance, store: Store, clock: () => Date): void {
  app.get<TokenRoute>('/api/unsubscribe/:token', async (request, reply) =>
    sendPage(reply, question(request.params.token)),
  )
  acceptForms(app, (forms) => {
    forms.post<TokenRoute>('/api/unsubscribe/:token/page', async (request, reply) => {
      await pauseByToken(store, request.params.token, { ip: request.ip, now: clock() })
      return sendPage(reply, answer)
    })
  })
}

type TokenRoute = { Params: { token: string } }

const question = (token: string) => `<h1>Pause this subscription?</h1>
<p>You will get no more messages from it until it is resumed in the console.</p>
<form method="post" action="${encodeURIComponent(token)}/page"><button>Pause</button></form>`
const answer = '<h1>Paused</h1><p>You will get no more messages from this subscription.</p>'
