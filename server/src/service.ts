import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import type { Logger } from 'pino'
import { buildApi } from './api/index.ts'
import { type BotEars, makeBotEars } from './bot.ts'
import type { Config } from './config.ts'
import { createFirstAccount, type FirstAccount, forgetFirstToken, makeIdentify } from './domain/accounts/index.ts'
import type { Settings } from './domain/settings.ts'
import { type Engine, startEngine } from './engine/engine.ts'
import { loadNetworks, type Network } from './engine/sources/networks.ts'
import { makeLog } from './log.ts'
import { startDeliver } from './runtime/deliver/index.ts'
import { startEvaluate } from './runtime/evaluate/index.ts'
import { makePublishSourceEvent } from './runtime/events/index.ts'
import { type CrashPoint, type StartLoop, startRuntime } from './runtime/index.ts'
import { migrate } from './store/core/migrate.ts'
import { makeSecretBox } from './store/core/secret-box.ts'
import { readSecretKey, requireRightKey } from './store/core/secret-key.ts'
import { startEmbeddedPostgres } from './store/embedded/index.ts'
import { type OpenStore, openStore } from './store/index.ts'
import { startSweeper } from './sweeper.ts'

export type Service = {
  /** Empty where the role has no API. */
  url: string
  store: OpenStore
  /** Set on an empty store alone: who was created, and the token to sign in with. */
  firstAccount: FirstAccount | undefined
  /** The operator has been told of the first account; nobody will be told again. */
  announced(): Promise<void>
  /** Ends requests under way, then the store. */
  stop(): Promise<void>
}
export type ServiceOptions = {
  clock?: () => Date
  log?: Logger
  /** Called at the named steps of the engine: see RuntimeDeps. */
  crashPoint?: CrashPoint
  /** Nobody else runs on the store; so it is on the embedded one. */
  isAlone?: boolean
}
/** What the parts of a service share; what each has started is ended in reverse. */
type Parts = { config: Config; clock: () => Date; log: Logger; started: (() => Promise<void>)[] }

const drainMs = 5_000

/** Config → store → API. What is started is stopped again in reverse, also when a later step fails. */
export async function startService(config: Config, options: ServiceOptions = {}): Promise<Service> {
  const clock = options.clock ?? (() => new Date())
  const log = options.log ?? makeLog(config.logLevel)
  const started: (() => Promise<void>)[] = []
  const stop = async () => {
    for (const end of started.splice(0).reverse()) await end()
  }
  try {
    const parts = { config, clock, log, started }
    const store = await startStore(config, log, started)
    const isEngine = config.role !== 'api'
    await store.jobQueue.start({ supervise: isEngine, warn: (line) => log.warn(line) })
    if (options.isAlone ?? config.databaseUrl === undefined) await store.leases.expireAll()
    const firstAccount = await createFirstAccount(store, config.admin, clock())
    const place = { url: config.publicUrl ?? `http://${hostOf(config.host)}:${config.port}` }
    const unsubscribeUrl = (id: string) => `${place.url}/api/unsubscribe/${store.signatures.sign('unsubscribe', id)}`
    const channels = { ...config.channels, unsubscribeUrl }
    const engine = startEngine({ ...config, channels, publicUrl: () => place.url })
    started.push(() => engine.close())
    const networks = loadNetworks(config.sourcesFile)
    const ears = makeBotEars({ config, store, engine, clock, log })
    const url = config.role === 'engine' ? '' : await startApi(parts, store, engine, networks, ears)
    if (url !== '') place.url = config.publicUrl ?? url
    if (isEngine) await startLoops(parts, store, engine, networks, options.crashPoint)
    const polling = isEngine ? ears.startPolling?.(options.crashPoint) : undefined
    if (polling) started.push(() => polling.stop())
    const sweeper = startSweeper(store, config.retention, clock, log)
    started.push(sweeper.stop)
    return { url, store, firstAccount, announced: () => forgetFirstToken(store), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function startStore(config: Config, log: Logger, started: (() => Promise<void>)[]): Promise<OpenStore> {
  const databaseUrl = config.databaseUrl ?? (await startEmbedded(config, log, started))
  await migrate(databaseUrl)
  const box = makeSecretBox(await readSecretKey(config.secretKey, config.dataDir, databaseUrl))
  const store = openStore(databaseUrl, box, { connectionsMax: config.databasePool, backend: config.databaseBackend })
  started.push(() => store.close())
  await requireRightKey(store, box)
  return store
}

async function startEmbedded(config: Config, log: Logger, started: (() => Promise<void>)[]): Promise<string> {
  const embedded = await startEmbeddedPostgres(config.dataDir, { warn: (line) => log.warn(line) })
  started.push(() => embedded.stop())
  return embedded.url
}

/** Chains are followed, matches evaluated and alerts delivered in every process but the API's. */
async function startLoops(
  { config, clock, log, started }: Parts,
  store: OpenStore,
  engine: Engine,
  networks: readonly Network[],
  crashPoint?: CrashPoint,
): Promise<void> {
  const deliver: StartLoop = (deps) =>
    startDeliver({ ...deps, destinationDeps: { ...engine.channels, clock }, disableDays: config.disableDays })
  const evaluate: StartLoop = (deps) =>
    startEvaluate(deps, { pressure: config.pressure, alertsPerMinute: config.alertsPerMinute })
  const options = { store, engine, networks, clock, log, ...(crashPoint && { crashPoint }) }
  const runtime = await startRuntime(options, [deliver, evaluate])
  started.push(() => runtime.stop())
}

async function startApi(
  { config, clock, log, started }: Parts,
  store: OpenStore,
  engine: Engine,
  networks: readonly Network[],
  ears: BotEars,
): Promise<string> {
  const settings: { -readonly [Key in keyof Settings]: Settings[Key] } = {
    publicUrl: config.publicUrl ?? '',
    version,
    signUp: config.signUp,
    sessionDays: config.sessionDays,
    secureSetup: config.secureSetup,
    limits: config.limits,
    networks,
  }
  const identify = makeIdentify(config.oidc)
  const api = buildApi({
    ...config,
    store,
    engine,
    publishSourceEvent: makePublishSourceEvent({ engine, networks }),
    settings,
    clock,
    log,
    identify,
    botWebhook: ears.webhook,
  })
  await api.app.listen({ host: config.host, port: config.port })
  const url = `http://${hostOf(config.host)}:${(api.app.server.address() as AddressInfo).port}`
  settings.publicUrl ||= url
  const webhook = ears.startWebhook?.()
  if (webhook) started.push(() => webhook.stop())
  started.push(async () => {
    api.drain()
    const cut = setTimeout(() => api.app.server.closeAllConnections(), drainMs)
    await api.app.close()
    clearTimeout(cut)
  })
  return url
}

function hostOf(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }
