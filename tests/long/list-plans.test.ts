import { Severity } from '@tocsin/contract'
import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Harness, harness, type Person } from '../harness/index.ts'
import { type Plan, readsOf, rowsReadBy, type Statement, watchStatements } from '../harness/plans.ts'
import { type AlertQuery, combineFilters, type ListSeed, makeListOwners, seedLists } from '../harness/seed-lists.ts'
import { seedNames } from '../harness/seed-names.ts'

/**
 * PostgreSQL explains the statements that lists really send, on a store with 30,000 alerts. A page must read few rows,
 * however many there are, and show the right alerts. PostgreSQL plans a named statement for its values or once for all values; both are checked.
 */
const count = 30_000
const limit = 20
/** The first 21 rows and one of each of 8 statuses in 3 workspaces, the page and its deliveries, and the 100 fresh deliveries with their alerts. */
const rowsMax = 350
/** A page with a match reads the next 2,000 alerts, each twice, and the deliveries of its own alerts. */
const rowsOfMatchMax = 4_500

let house: Harness
let people: { owner: Person; member: Person }
let seed: ListSeed
let database: pg.PoolClient
let alerts: PlainAlert[]
const sent = watchStatements()

beforeAll(async () => {
  house = await harness()
  people = { owner: await house.person('owner'), member: await house.person('member') }
  seed = await makeListOwners(people.owner, people.member)
  database = await house.database.connect()
  await seedLists(database, seed, count)
  await deleteTriggers()
  alerts = await readAllAlerts()
  await seedNames(database, people.owner, await house.person('stranger'), 3_000)
})
afterAll(async () => {
  sent.restore()
  database.release()
  await house.close()
})

test.each<[string, 'owner' | 'member', (seed: ListSeed) => AlertQuery]>([
  [
    'many',
    'owner',
    ({ common }) => ({ workspace: 'busy', project: 'busy.app', trigger: 'busy.app.common', subscription: common }),
  ],
  ['few', 'owner', ({ rare }) => ({ trigger: 'busy.app.rare', subscription: rare })],
  ['a few of many', 'owner', ({ common }) => ({ trigger: 'busy.app.rare', subscription: common })],
  [
    'each many, together no',
    'owner',
    ({ common }) => ({ project: 'busy.side', trigger: 'busy.side.t', subscription: common }),
  ],
  ['many, but no own', 'member', () => ({ workspace: 'busy', project: 'busy.side', trigger: 'busy.side.t' })],
  ['no', 'owner', () => ({ workspace: 'quiet', project: 'busy.side', trigger: 'busy.app.rare' })],
  ['many own', 'member', ({ member }) => ({ project: 'busy.app', trigger: 'busy.app.common', subscription: member })],
])('a page of alerts reads few rows when its filters fit %s alerts', async (_fit, who, filters) => {
  const slow: string[] = []
  for (const filter of combineFilters(filters(seed))) {
    let shown: string[] = []
    const statements = await statementsOf(async () => {
      shown = (await people[who].listAlerts({ query: { ...filter, limit } })).map(({ id }) => id)
    })
    for (const problem of await problemsOf(statements)) slow.push(`${JSON.stringify(filter)}: ${problem}`)
    expect({ filter, shown }).toEqual({ filter, shown: idsOf(people[who], filter) })
  }
  expect(slow).toEqual([])
})

test('a page of alerts of one severity reads few rows with every filter', async () => {
  const { common } = seed
  const filters: AlertQuery[] = [
    {},
    { workspace: 'busy' },
    { project: 'busy.app' },
    { trigger: 'busy.app.common' },
    { subscription: common },
    { status: 'failed' },
    { status: 'pending' },
  ]
  const slow: string[] = []
  for (const who of ['owner', 'member'] as const)
    for (const severity of Severity.options)
      for (const filter of filters.map((filter) => ({ ...filter, severity }))) {
        if (who === 'member' && filter.subscription !== undefined) continue
        let shown: string[] = []
        const statements = await statementsOf(async () => {
          shown = (await people[who].listAlerts({ query: { ...filter, limit } })).map(({ id }) => id)
        })
        for (const problem of await problemsOf(statements)) slow.push(`${who} ${JSON.stringify(filter)}: ${problem}`)
        expect({ filter, shown }).toEqual({ filter, shown: idsOf(people[who], filter) })
      }
  expect(slow).toEqual([])
})

test.each<[string, AlertQuery]>([
  ['state', { state: 'firing' }],
  ['time', { since: '2020-01-01T00:00:00Z' }],
  ['word', { q: 'no such word' }],
  ['frequent word', { q: 'transfer' }],
])('a page of alerts that match a %s reads few rows', async (_what, match) => {
  const slow: string[] = []
  for (const filter of [{}, { workspace: 'busy' }, { project: 'busy.side', subscription: seed.common }] as const) {
    const query: AlertQuery = { ...filter, ...match, limit }
    const statements = await statementsOf(() => people.owner.listAlerts({ query }))
    for (const problem of await problemsOf(statements, rowsOfMatchMax))
      slow.push(`${JSON.stringify(query)}: ${problem}`)
  }
  expect(slow).toEqual([])
})

test('a second page, a feed, a log and a new log entry read few rows', async () => {
  const { owner } = people
  const cursor = await secondPage(owner)
  const slow = await problemsOf(
    await statementsOf(async () => {
      await owner.listAlerts({ query: { limit, cursor, status: 'failed' } })
      await owner.listSubscriptions({ query: { limit, project: 'busy.app', trigger: 'busy.app.rare' } })
      await house.service.store.alertFeed.listNew([{ accountId: owner.id, seq: String(count - 5) }], limit)
      const { id: triggerId } = await owner.getTrigger({ fullname: 'busy.app.common' })
      await house.service.store.triggerLogs.record({ triggerId, kind: 'delivery', status: 'delivered' }, new Date())
      for (const direction of ['before', 'after'] as const) {
        await owner.getTriggerLogs({ fullname: 'busy.app.common', query: { limit, direction } })
        await owner.getTriggerLogs({ fullname: 'busy.app.common', query: { limit, direction, status: 'failed' } })
        for (const level of ['info', 'warn', 'error'] as const)
          await owner.getCustomSourceLogs({ fullname: 'busy.chain', query: { limit: '50', direction, level } })
      }
    }),
  )
  expect(slow).toEqual([])
})

test.each<[string, (reader: Person, page: { limit: number; cursor?: string }) => Promise<unknown>]>([
  ['projects', (reader, page) => reader.listProjects({ query: page })],
  ['projects of a workspace', (reader, page) => reader.listProjects({ query: { ...page, workspace: 'busy' } })],
  ['projects that one may edit', (reader, page) => reader.listProjects({ query: { ...page, scope: 'backend' } })],
  ['public projects', (reader, page) => reader.listProjects({ query: { ...page, scope: 'marketplace' } })],
  ['triggers', (reader, page) => reader.listTriggers({ query: page })],
  ['triggers of a workspace', (reader, page) => reader.listTriggers({ query: { ...page, workspace: 'busy' } })],
  ['triggers of a project', (reader, page) => reader.listTriggers({ query: { ...page, project: 'busy.zoo' } })],
  ['resources', (reader, page) => reader.listResources({ query: page })],
  ['resources of a workspace', (reader, page) => reader.listResources({ query: { ...page, workspace: 'busy' } })],
  ['resources of a project', (reader, page) => reader.listResources({ query: { ...page, project: 'busy.app' } })],
  ['sources', (reader, page) => reader.listCustomSources({ query: page })],
  ['sources of a workspace', (reader, page) => reader.listCustomSources({ query: { ...page, workspace: 'busy' } })],
  ['sources for triggers', (reader, page) => reader.listRuntimeSources({ query: page })],
  ['members', (reader, page) => reader.listAcl({ workspace: 'busy', query: page })],
  ['tokens', (reader, page) => reader.listTokens({ query: page })],
  ['addresses', (reader, page) => reader.listAddresses({ query: page })],
  ['access links', (reader, page) => reader.listAccessLinks({ fullname: 'busy.closed', query: page })],
  ['add-ons', (reader, page) => reader.listAddons({ fullname: 'busy.app', query: page })],
  ['templates', (reader, page) => reader.listTemplates({ fullname: 'busy.zoo', query: page })],
  ['secrets', (reader, page) => reader.listProjectSecrets({ fullname: 'busy.app', query: page })],
  ['transfer requests', (reader, page) => reader.listTransferRequests({ query: page })],
  [
    'failed transfer requests of a workspace',
    (reader, page) => reader.listTransferRequests({ query: { ...page, workspace: 'busy', status: 'failed' } }),
  ],
])('a page of %s reads few rows', async (_list, read) => {
  expect(await problemsOf(await statementsOf(() => read(people.owner, { limit })))).toEqual([])
})

test('deletion reads few of the alerts that it must keep', async () => {
  await database.query(`update alerts set created_at = '2020-01-01', delivery_key = id where seq % 3 = 1`)
  await database.query(`update alerts set delivery_key = null where created_at = '2020-01-01' and seq % 1000 = 0`)
  const { retention } = house.service.store
  const slow = await problemsOf(await statementsOf(() => retention.dropAlerts(new Date('2021-01-01')), true))
  expect(slow).toEqual([])
})

test.each(['waiting', 'collected'] as const)(
  'a page of %s alerts reads few rows while another workspace has many that PostgreSQL has not counted yet',
  async (status) => {
    await database.query(
      `update alerts set status = $1 where seq % 5 = $2 and workspace_id = (select id from workspaces where fullname = 'busy')`,
      [status, status === 'waiting' ? 1 : 2],
    )
    const query = { workspace: 'quiet', status, limit }
    expect(await problemsOf(await statementsOf(() => people.owner.listAlerts({ query })))).toEqual([])
  },
)

/** A third of the alerts lose their trigger, half of these also their subscription. */
async function deleteTriggers(): Promise<void> {
  await database.query('update alerts set trigger_id = null where seq % 3 = 0')
  await database.query('update alerts set subscription_id = null where seq % 6 = 0')
  await database.query('vacuum analyze alerts')
}

/** Every alert with its names and its status, newest first, to compare pages with. */
type PlainAlert = Required<AlertQuery> & { id: string; account: string }

async function readAllAlerts(): Promise<PlainAlert[]> {
  const { rows } = await database.query<PlainAlert>(
    `select a.id, a.account_id as account, w.fullname as workspace, a.project, t.fullname as trigger, a.subscription_id as subscription,
       a.status, a.severity
     from alerts a join workspaces w on w.id = a.workspace_id
     left join triggers t on t.id = a.trigger_id order by a.seq desc`,
  )
  return rows
}

/** The owner leads both workspaces. */
function idsOf(person: Person, query: AlertQuery): string[] {
  const { workspace, project, trigger, subscription, status, severity } = query
  const isShown = (alert: PlainAlert) =>
    (person === people.owner || alert.account === person.id) &&
    alert.workspace === (workspace ?? alert.workspace) &&
    alert.project === (project ?? alert.project) &&
    alert.trigger === (trigger ?? alert.trigger) &&
    alert.subscription === (subscription ?? alert.subscription) &&
    alert.status === (status ?? alert.status) &&
    alert.severity === (severity ?? alert.severity)
  return alerts
    .filter(isShown)
    .slice(0, limit)
    .map(({ id }) => id)
}

const largeTables = [
  ...['alerts', 'deliveries', 'trigger_logs', 'source_logs', 'projects', 'triggers', 'resources', 'custom_sources'],
  ...[
    'accounts',
    'members',
    'tokens',
    'addresses',
    'access_links',
    'addons',
    'templates',
    'project_secrets',
    'transfers',
  ],
]
const namesLargeTable = new RegExp(`\\b(${largeTables.join('|')})\\b`)

/** The statements on large tables that the service sends while it works. */
async function statementsOf(work: () => Promise<unknown>, ofSweeper = false): Promise<Statement[]> {
  const reading = (await sent.during(work)).filter(
    ({ text }) => namesLargeTable.test(text) && isSweep(text) === ofSweeper && !isOneProject(text),
  )
  expect(reading).not.toEqual([])
  return reading
}

/** The sweeper of the service runs once a minute, also during a test. */
function isSweep(text: string): boolean {
  return text.includes('skip locked')
}

/** A project that a list belongs to is read with the counts of its triggers and templates, which read all of them. */
function isOneProject(text: string): boolean {
  return /triggers_count.*"p"\."fullname" = \$/s.test(text)
}

async function problemsOf(statements: readonly Statement[], max = rowsMax): Promise<string[]> {
  const problems: string[] = []
  for (const statement of statements)
    for (const mode of ['force_custom_plan', 'force_generic_plan'] as const) {
      const reads = await readsOf(database, statement, largeTables, mode)
      problems.push(...problemsOfReads(reads, max).map((problem) => `${mode}: ${problem}`))
    }
  return problems
}

function problemsOfReads(reads: readonly Plan[], max: number): string[] {
  const whole = reads.filter((node) => node['Node Type'].includes('Seq Scan'))
  const largest = reads.toSorted((a, b) => rowsReadBy([b]) - rowsReadBy([a]))[0]
  const rows = rowsReadBy(reads)
  return [
    ...whole.map((node) => `reads all of ${node['Relation Name']}`),
    ...(rows > max ? [`reads ${rows} rows, most of them of ${largest?.['Relation Name']}`] : []),
  ]
}

async function secondPage(person: Person): Promise<string> {
  const response = await fetch(`${house.url}/api/alerts?limit=${limit}&status=failed`, {
    headers: { authorization: `Bearer ${person.token}` },
  })
  return /cursor=([^&>]+)/.exec(response.headers.get('link') ?? '')?.[1] ?? ''
}
