import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import type { Logger } from 'pino'
import { buildApi } from './api/index.ts'
import { startMetricsServer } from './api/metrics.ts'
import { type BotUpdates, makeBotUpdates } from './bot.ts'
import type { Config } from './config.ts'
import {
  createFirstAccount,
  type FirstAccount,
  forgetFirstToken,
  isUselessToken,
  type MailJob,
  makeIdentify,
  makeOidcSignIn,
  passwordCost,
  sendAccountMail,
} from './domain/accounts/index.ts'
import { makeAttempts } from './domain/attempts.ts'
import { installMarketplace, type StackCalls } from './domain/marketplace/index.ts'
import type { PasswordCost, Settings } from './domain/settings.ts'
import { type Engine, startEngine } from './engine/engine.ts'
import { loadNetworks, type Network } from './engine/sources/networks.ts'
import { makeLog } from './log.ts'
import { type Metrics, makeMetrics } from './metrics/index.ts'
import { startDeliver } from './runtime/deliver/index.ts'
import { startEvaluate } from './runtime/evaluate/index.ts'
import { makePublishSourceEvent } from './runtime/events/source-events.ts'
import { type CrashPoint, type StartLoop, startRuntime } from './runtime/index.ts'
import { followKeyRing } from './store/core/key-ring.ts'
import { migrate } from './store/core/migrate.ts'
import { requireUsableDatabase } from './store/core/preflight.ts'
import { makeSecretBox, ringOf } from './store/core/secret-box.ts'
import { readSecretKey, requireRightKey } from './store/core/secret-key.ts'
import { startEmbeddedPostgres } from './store/embedded/index.ts'
import { type OpenStore, openStore } from './store/index.ts'
import { startSweeper } from './sweeper.ts'
import type { Tracing } from './tracing/index.ts'

export type Service = {
  /** Empty if the role does not include the API. */
  url: string
  /** Where a process without the API serves its metrics; empty if it serves none, or if the API does. */
  metricsUrl: string
  store: OpenStore
  /** Set only if the store was empty: the created account and its token. */
  firstAccount: FirstAccount | undefined
  /** ADMIN_TOKEN is set and opens no account. */
  hasUselessToken: boolean
  /** Call it after the token was shown to the operator. The service then forgets the token. */
  announced(): Promise<void>
  /** Waits for running requests, then stops the loops and the store. */
  stop(): Promise<void>
}
export type ServiceOptions = {
  clock?: () => Date
  log?: Logger
  /** Called at the named steps of the loops: see RuntimeDeps. */
  crashPoint?: CrashPoint
  /** The time in milliseconds by which the loops measure how long something lasts. Tests let it pass faster. */
  now?: () => number
  /** No other process uses the store. That is the default for the embedded PostgreSQL. */
  isAlone?: boolean
  /** Tests create many accounts and pass a lower cost. There is no variable for it, so that no deployment lowers it by mistake. */
  passwordCost?: PasswordCost
}
/** What the start functions share. `started` holds the stop functions, which run in reverse order. */
type StartContext = {
  config: Config
  clock: () => Date
  log: Logger
  started: (() => Promise<void>)[]
  passwordCost: PasswordCost
  metrics: Metrics
}

const drainMs = 5_000
/** `/metrics` lists no more sources than this. */
const listedSourcesMax = 10_000

/** Starts the store, the engine, the API and the loops. If a step fails, everything that was started is stopped in reverse order. */
export async function startService(config: Config, options: ServiceOptions = {}): Promise<Service> {
  const clock = options.clock ?? (() => new Date())
  const log = options.log ?? makeLog(config.logLevel)
  const started: (() => Promise<void>)[] = []
  const stop = async () => {
    for (const end of started.splice(0).reverse()) await end()
  }
  try {
    const metrics = makeMetrics()
    const context = { config, clock, log, started, passwordCost: options.passwordCost ?? passwordCost, metrics }
    const store = await startStore(config, log, started)
    metrics.addReadings(readingsOf(store, clock))
    const isEngine = config.role !== 'api'
    await store.jobQueue.start({ supervise: isEngine, warn: (line) => log.warn(line) })
    if (options.isAlone ?? config.databaseUrl === undefined) await store.leases.expireAll()
    const firstAccount = await createFirstAccount(store, config.admin, clock(), { hasMarketplace: config.marketplace })
    const hasUselessToken = await isUselessToken(store, config.admin.token, clock())
    const publicAddress = { url: config.publicUrl ?? `http://${hostOf(config.host)}:${config.port}` }
    const unsubscribeUrl = (id: string) =>
      `${publicAddress.url}/api/unsubscribe/${store.signatures.sign('unsubscribe', id)}`
    const alertsUrl = (workspace: string, id: string) => `${publicAddress.url}/w/${workspace}/alerts?subscription=${id}`
    const alertUrl = (workspace: string, id: string) => `${publicAddress.url}/w/${workspace}/alerts/${id}`
    const networks = loadNetworks(config.sourcesFile)
    const networkTitle = (fullname: string) => networks.find((network) => network.fullname === fullname)?.title
    const channels = { ...config.channels, unsubscribeUrl, alertsUrl, alertUrl, networkTitle }
    const engine = startEngine({ ...config, channels, publicUrl: () => publicAddress.url, meter: metrics.meter })
    started.push(() => engine.close())
    const botUpdates = makeBotUpdates({ config, store, engine, clock, log })
    const url = config.role === 'engine' ? '' : await startApi(context, store, engine, networks, botUpdates)
    if (url !== '') publicAddress.url = config.publicUrl ?? url
    startMails(store, engine, clock, started)
    if (isEngine) await startLoops(context, store, engine, networks, options)
    const polling = isEngine ? botUpdates.startPolling?.(options.crashPoint) : undefined
    if (polling) started.push(() => polling.stop())
    const metricsUrl = config.role === 'engine' ? await startMetrics(context) : ''
    const sweeper = startSweeper(store, config.retention, clock, log)
    started.push(sweeper.stop)
    return { url, metricsUrl, store, firstAccount, hasUselessToken, announced: () => forgetFirstToken(store), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function startStore(config: Config, log: Logger, started: (() => Promise<void>)[]): Promise<OpenStore> {
  if (config.databaseUrl) await requireUsableDatabase(config.databaseUrl)
  const databaseUrl = config.databaseUrl ?? (await startEmbedded(config, log, started))
  await migrate(databaseUrl)
  const key = await readSecretKey(config.secretKey, config.dataDir, databaseUrl)
  const ring = ringOf(key)
  const box = makeSecretBox(ring)
  const store = openStore(databaseUrl, box, {
    connectionsMax: config.databasePool,
    replica: config.databaseRead && { ...config.databaseRead, log },
  })
  started.push(() => store.close())
  const keys = await followKeyRing(store.settings.findAll, key, ring)
  started.push(() => keys.stop())
  await requireRightKey(store, box)
  return store
}

async function startEmbedded(config: Config, log: Logger, started: (() => Promise<void>)[]): Promise<string> {
  const embedded = await startEmbeddedPostgres(config.dataDir, { warn: (line) => log.warn(line) })
  started.push(() => embedded.stop())
  return embedded.url
}

function readingsOf(store: OpenStore, clock: () => Date): Parameters<Metrics['addReadings']>[0] {
  return {
    sources: () => store.followers.listProgress(listedSourcesMax),
    queues: () => store.queueStates.list(clock()),
    requireWritable: store.requireWritable,
    version,
    connectionsInUse: store.connectionsInUse,
    replicaReads: store.replicaReads,
  }
}

/** The libraries of OpenTelemetry are loaded only if they are used. */
async function openTracing(
  { otlpEndpoint: endpoint }: Config,
  started: StartContext['started'],
): Promise<Tracing | undefined> {
  if (endpoint === undefined) return undefined
  const { startTracing } = await import('./tracing/index.ts')
  const tracing = startTracing({ endpoint, version })
  started.push(() => tracing.stop())
  return tracing
}

/** A process without the API has no other port. */
async function startMetrics({ config, metrics, started }: StartContext): Promise<string> {
  const { host, metricsPort, metricsAccess: access } = config
  if (metricsPort === undefined) return ''
  const server = await startMetricsServer(metrics, { host, port: metricsPort, access })
  started.push(() => server.close())
  return `http://${hostOf(host)}:${server.port}/metrics`
}

/** Every process sends mails about accounts, so that they arrive also while no engine runs. */
function startMails(store: OpenStore, engine: Engine, clock: () => Date, started: StartContext['started']): void {
  const { mail } = engine.channels
  if (!mail) return
  const deps = { store, mail, attempts: makeAttempts(), publicUrl: engine.publicUrl, clock }
  const slots = { slots: 2, batchSize: 2, perGroup: 2 }
  const pump = store.jobQueue.pump<MailJob>('mail', slots, (job) => sendAccountMail(deps, job))
  started.push(() => pump.stop())
}

/** Every process runs the loops unless its role is only the API. */
async function startLoops(
  { config, clock, log, started, metrics: { meter } }: StartContext,
  store: OpenStore,
  engine: Engine,
  networks: readonly Network[],
  { crashPoint, now }: Pick<ServiceOptions, 'crashPoint' | 'now'>,
): Promise<void> {
  const deliver: StartLoop = (deps) =>
    startDeliver({ ...deps, destinationDeps: { ...engine.channels, clock }, disableDays: config.disableDays })
  const evaluate: StartLoop = (deps) =>
    startEvaluate(deps, { pressure: config.pressure, alertsPerMinute: config.alertsPerMinute })
  const tracing = await openTracing(config, started)
  const options = {
    store,
    engine,
    networks,
    clock,
    log,
    meter,
    tracing,
    ...(crashPoint && { crashPoint }),
    ...(now && { now }),
  }
  const runtime = await startRuntime(options, [deliver, evaluate])
  started.push(() => runtime.stop())
}

async function startApi(
  { config, clock, log, started, passwordCost, metrics }: StartContext,
  store: OpenStore,
  engine: Engine,
  networks: readonly Network[],
  botUpdates: BotUpdates,
): Promise<string> {
  const settings: { -readonly [Key in keyof Settings]: Settings[Key] } = {
    publicUrl: config.publicUrl ?? '',
    version,
    signUp: config.signUp,
    sessionDays: config.sessionDays,
    passwordCost,
    oidcSignIn: config.oidcClient !== undefined,
    secureSetup: config.secureSetup,
    limits: config.limits,
    networks,
  }
  const identify = makeIdentify(config.oidc, engine)
  const api = buildApi({
    ...config,
    store,
    engine,
    publishSourceEvent: makePublishSourceEvent({ engine, networks }),
    settings,
    clock,
    log,
    identify,
    metrics,
    botWebhook: botUpdates.webhook,
    oidcSignIn: config.oidcClient && makeOidcSignIn(config.oidcClient, () => settings.publicUrl),
  })
  await api.app.listen({ host: config.host, port: config.port })
  const url = `http://${hostOf(config.host)}:${(api.app.server.address() as AddressInfo).port}`
  settings.publicUrl ||= url
  const webhook = botUpdates.startWebhook?.()
  if (webhook) started.push(() => webhook.stop())
  started.push(async () => {
    api.drain()
    const cut = setTimeout(() => api.app.server.closeAllConnections(), drainMs)
    await api.app.close()
    clearTimeout(cut)
  })
  if (config.marketplace) startMarketplace(store, api.stacks, log, started)
  return url
}

/** Installs in the background: the service answers meanwhile, and a failure does not stop it. */
function startMarketplace(store: OpenStore, stacks: StackCalls, log: Logger, started: StartContext['started']): void {
  const installing = installMarketplace({ store, stacks, warn: (line) => log.warn(line) }).catch((error: Error) =>
    log.error({ error: error.message }, 'the marketplace was not installed; the next start tries again'),
  )
  started.push(() => installing)
}

function hostOf(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }
