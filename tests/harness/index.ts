/** A real service on its own database, people who call it through the SDK, and a clock that tests set. */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Route, type RouteName, refusalsOf, routes } from '@tocsin/contract'
import { ApiError, type Client, createClient } from '@tocsin/sdk'
import type pg from 'pg'
import { pino } from 'pino'
import { inject } from 'vitest'
import { type Environment, loadConfig } from '../../server/src/config.ts'
import { type Service, type ServiceOptions, startService } from '../../server/src/service.ts'
import { openPool } from '../../server/src/store/core/pool.ts'
import { takeDatabase } from './database.ts'

export * from './records.ts'
export { rejects } from './rejects.ts'

export type Person = Client & { id: string; email: string; token: string }
export type TestClock = {
  now(): Date
  advance(ms: number): void
  /** From now on the clock moves only by `advance`. */
  stop(): void
  start(): void
}
export type Harness = {
  readonly url: string
  readonly service: Service
  /** Stops the service and starts it again on the same store. */
  restart(): Promise<void>
  /** Starts the loops on the same store, as another process does. The test stops them. */
  startEngine(options?: Pick<ServiceOptions, 'now'>): Promise<Service>
  clock: TestClock
  databaseUrl: string
  /** A database connection of the test, opened at the first query. */
  database: pg.Pool
  /** All lines that the service logged. */
  logs: string[]
  readonly nobody: Client
  person(name: string): Promise<Person>
  /** Owner, admin, developer and user of a new workspace, and an account outside it. */
  team(workspace: string): Promise<Team>
  close(): Promise<void>
}
export type Team = { owner: Person; admin: Person; developer: Person; user: Person; stranger: Person }
type Variables = Partial<Record<keyof typeof Environment.shape | `${string}_URL`, string>>

/** A service without variables for all files of a worker whose tests set neither its clock nor its options: each saves its own workspaces. */
export function sharedHarness(): Promise<Harness> {
  shared ??= harness()
  return shared
}
let shared: Promise<Harness> | undefined

export async function harness(variables: Variables = {}): Promise<Harness> {
  const database = await takeDatabase()
  const questions = openPool(database.url, 1)
  const folder = mkdtempSync(join(inject('dataFolder'), 'service-'))
  const clock = makeClock()
  const logs: string[] = []
  const environment: Variables = {
    HOST: '127.0.0.1',
    PORT: '0',
    // Most tests only need the API; tests of the loops set ROLE=all.
    ROLE: 'api',
    DATABASE_URL: database.url,
    DATABASE_POOL: '6',
    DATA_DIR: folder,
    RATE_ACCOUNT_PER_MINUTE: '1000000',
    RATE_ADDRESS_PER_MINUTE: '1000000',
    MARKETPLACE: 'off',
    // No test asks a public service.
    ABI_SOURCES: 'none',
    ...variables,
  }
  const config = loadConfig(environment)
  const log = pino({ level: 'info' }, { write: (line) => void logs.push(line) })
  const options = { clock: clock.now, log, passwordCost: lowCost }
  const start = () => startService(config, options)
  let service = await start()
  const person = (name: string) => signUp(service.url, name)
  return {
    get url() {
      return service.url
    },
    get service() {
      return service
    },
    get nobody() {
      return checkedClient(service.url)
    },
    clock,
    databaseUrl: database.url,
    database: questions,
    logs,
    person,
    team: (workspace) => makeTeam(person, workspace),
    restart: async () => {
      await service.stop()
      service = await start()
    },
    startEngine: (more) => startService(loadConfig({ ...environment, ROLE: 'engine' }), { ...options, ...more }),
    close: async () => {
      await service.stop()
      await questions.end()
      await database.giveBack()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The lowest cost that argon2 accepts. A hash at the service's own cost takes 20 ms, and tests create hundreds of accounts. */
const lowCost = { memoryCost: 8, timeCost: 1 }

function makeClock(): TestClock {
  let offsetMs = 0
  let stoppedAtMs: number | undefined
  const nowMs = () => (stoppedAtMs ?? Date.now()) + offsetMs
  return {
    now: () => new Date(nowMs()),
    advance: (ms) => {
      offsetMs += ms
    },
    stop: () => {
      stoppedAtMs ??= Date.now()
    },
    start: () => {
      offsetMs = nowMs() - Date.now()
      stoppedAtMs = undefined
    },
  }
}

async function signUp(url: string, name: string): Promise<Person> {
  const email = `${name}-${randomBytes(4).toString('hex')}@example.org`
  const { token, account } = await createClient({ baseUrl: url, retries: 0 }).signUp({
    body: { email, password: 'correct horse battery', name },
  })
  return Object.assign(checkedClient(url, token), { id: account.id, email, token })
}

async function makeTeam(person: (name: string) => Promise<Person>, workspace: string): Promise<Team> {
  const [owner, admin, developer, user, stranger] = await Promise.all(
    ['owner', 'admin', 'developer', 'user', 'stranger'].map(person) as [
      Promise<Person>,
      Promise<Person>,
      Promise<Person>,
      Promise<Person>,
      Promise<Person>,
    ],
  )
  const { invite } = await owner.saveWorkspace({ fullname: workspace, body: { fullname: workspace } })
  for (const member of [admin, developer, user])
    await member.joinWorkspace({ workspace, body: { invite: invite ?? '' } })
  const acl = await owner.listAcl({ workspace })
  for (const [member, level] of [[admin, 'admin'] as const, [developer, 'developer'] as const]) {
    const entry = acl.find(({ user }) => user.id === member.id)
    await owner.saveAclEntry({ workspace, entryId: entry?.id ?? '', body: { level } })
  }
  return { owner, admin, developer, user, stranger }
}

/** Compares every reply with what the contract promises: no field is missing and none is extra, and each error is declared. */
export function checkedClient(baseUrl: string, token?: string): Client {
  const client = createClient({ baseUrl, retries: 0, ...(token !== undefined && { token }) })
  const checked: Record<string, unknown> = { ...client, whole: {} }
  for (const [name, route] of Object.entries<Route>(routes) as [RouteName, Route][]) {
    const call = client.whole[name] as (args?: unknown) => Promise<{ body: unknown; headers: Headers }>
    const whole = async (args?: unknown) => {
      const answer = await call(args).catch((error: unknown) => {
        requireDeclared(name, error)
        throw error
      })
      requirePromised(name, route, answer.body)
      requireTag(name, route, answer.headers)
      return answer
    }
    Object.assign(checked.whole as object, { [name]: whole })
    checked[name] = async (args?: unknown) => (await whole(args)).body
  }
  return checked as Client
}

function requireDeclared(name: RouteName, error: unknown): void {
  if (!(error instanceof ApiError) || error.code === 'unreadable') return
  const declared = [...refusalsOf(name), 'internal', 'unavailable']
  if (!declared.includes(error.code))
    throw new Error(
      `${name} answers ${error.code}, which its route in contract/src/routes does not name: ${error.message}`,
    )
}

/** Public data that may be cached has an ETag too, which the document names by itself. */
function requireTag(name: RouteName, { hasTag }: Route, headers: Headers): void {
  if (headers.get('cache-control')?.startsWith('public')) return
  const [has, says] = [headers.has('etag'), hasTag === true]
  if (has !== says) throw new Error(`${name}: hasTag is ${says} in contract/src/routes, and its answer says ${has}`)
}

function requirePromised(name: string, route: Route, body: unknown): void {
  if (typeof route.reply === 'string' || route.events === 'only') return
  const parsed = route.reply.safeParse(body)
  if (!parsed.success) throw new Error(`${name} broke its promise: ${parsed.error.message}`)
  const [kept, given] = [JSON.stringify(parsed.data), JSON.stringify(body)]
  if (kept.length !== given.length)
    throw new Error(`${name} answers fields that the contract does not name:\n${given}\n${kept}`)
}
