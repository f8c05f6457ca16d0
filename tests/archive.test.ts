import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Policy } from '@tocsin/contract'
import type { Client } from '@tocsin/sdk'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { exportArchive } from '../server/src/store/archive/export-archive.ts'
import { importArchive } from '../server/src/store/archive/import-archive.ts'
import { type TestDatabase, takeDatabase } from './harness/database.ts'
import { query } from './harness/embedded/data-folders.ts'
import {
  addressList,
  checkedClient,
  customSource,
  type Harness,
  harness,
  type Person,
  project,
  rejects,
  resource,
  subscription,
  template,
  trigger,
} from './harness/index.ts'

/** A service whose store is exported, and a second one that starts on the store that imported the archive. */
const variables = { SECRET_KEY: 'archive '.repeat(5), ALLOW_PRIVATE_NETWORKS: 'on' }
const work = mkdtempSync(join(tmpdir(), 'tocsin-archive-'))
let house: Harness
let moved: Harness
let target: TestDatabase
let ann: Person
let templateId = ''
let subscriptions: string[] = []

const wallet = (digit: string) => `0x${digit.repeat(40)}`
const explorer = { name: 'Scan', url: 'https://scan.example.org/?chain=7' }
const nativeCurrency = { name: 'Test', symbol: 'TST', decimals: 6 }
const abiFragment = 'event Transfer(address indexed from, address indexed to, uint256 value)'
const conditions = {
  all: [
    { param: 'source.params.from', op: 'in' as const, value: { list: 'acme.whales' } },
    { param: 'source.params.value', op: 'gte' as const, value: { amount: '1000.5', token: '{{source.address}}' } },
  ],
}
const sourceBindings = [
  { id: 'one', dataSource: 'acme.one', contract: [wallet('1'), wallet('2')], values: { decimals: 6 } },
  { id: 'two', dataSource: 'acme.two', values: { name: 'Two' } },
]
const factory = {
  contract: wallet('f'),
  event: 'Created',
  abiFragment: 'event Created(address child)',
  parameter: 'child',
}
const policies: Policy[] = [
  { type: 'threshold', value: 'balance', below: '0.000000000000000001', until: 2, for: '5m', key: 'to', repeat: '1h' },
  { type: 'change', value: 'balance', by: '10%', direction: 'down', within: '3h' },
  { type: 'count', count: 5, within: '10m' },
  { type: 'absence', within: '1m' },
  null,
]

beforeAll(async () => {
  house = await harness(variables)
  ann = await house.person('ann')
  await saveEverything(ann)
  const folder = join(work, 'archive')
  await exportArchive(house.databaseUrl, folder, { log: () => {} })
  target = await takeDatabase()
  await importArchive(target.url, folder, { log: () => {} })
})
afterAll(async () => {
  await moved?.close()
  await target?.giveBack()
  await house?.close()
  rmSync(work, { recursive: true, force: true })
})

async function saveEverything(owner: Person): Promise<void> {
  await owner.saveWorkspace({ fullname: 'acme', body: { fullname: 'acme' } })
  await owner.saveProject({ fullname: 'acme.p', body: project('acme.p') })
  await owner.saveResource({ fullname: 'acme.hook', body: resource('acme.hook') })
  const addresses = [wallet('a'), '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045']
  await owner.saveAddressList({ fullname: 'acme.whales', body: addressList('acme.whales', { addresses }) })
  await owner.saveCustomSource({
    fullname: 'acme.one',
    body: customSource('acme.one', { explorer, nativeCurrency, confirmations: 3 }),
  })
  await owner.saveCustomSource({ fullname: 'acme.two', body: customSource('acme.two') })
  const log = { type: 'evm_log', dataSource: 'acme.one', abiFragment } as const
  const defaults = { severity: '{{raw.level}}', delivery: { finality: 'safe' as const } }
  await saveTrigger(owner, 'bound', { triggerSpec: log, sourceBindings, conditions, defaults })
  await saveTrigger(owner, 'born', { triggerSpec: { ...log, contract: { factory } } })
  await saveTrigger(owner, 'daily', {
    triggerSpec: { type: 'timer', interval: '0 9 * * 1-5', timezone: 'Europe/Berlin' },
    providers: [
      {
        id: 'h',
        type: 'http',
        url: 'https://example.org',
        retry: { attempts: 3, delayMs: 250, backoff: 'linear', retryOn: ['http_error'] },
      },
    ],
  })
  const rule = { id: 'r', trigger: 'acme.p.bound', topic: 'moves', deprecated: false, requiredValues: [] }
  const rules = policies.map((policy, at) => ({ ...rule, id: `r${at}`, policy }))
  templateId = (await owner.createTemplate({ fullname: 'acme.p', body: template('acme.p', { rules }) })).id
  const delivery = { mode: 'once_per_key' as const, keyPath: 'to', finality: { confirmations: 12 } }
  const ofTrigger = subscription('acme.p.bound', {
    resources: ['acme.hook'],
    delivery,
    overrides: { severity: 'critical' },
  })
  subscriptions = []
  for (const policy of policies)
    subscriptions.push((await owner.createSubscription({ body: { ...ofTrigger, policy } })).id)
  const ids = subscriptions.map((id) => `('${id}', '', 'k', '{"kind": "key", "n": 1.50}', now(), now())`)
  await house.database.query(
    `insert into policy_states (subscription_id, rule_id, key, state, due_at, updated_at) values ${ids.join()}`,
  )
  await house.database.query(
    `insert into policy_values (subscription_id, rule_id, key, slot, at, value, bound, source, block_hash, incarnation, recorded_at)
      select id, '', 'k', now(), now(), '1.5', '1', 'acme.one', 'h', 0, now() from subscriptions`,
  )
}

async function saveTrigger(owner: Person, name: string, extra: object): Promise<void> {
  const fullname = `acme.p.${name}`
  await owner.saveTrigger({ fullname, body: trigger(fullname, extra) })
}

test('every row comes back exactly, also those of bindings, factories, lists, policy states and jobs', async () => {
  const tables = [
    'address_lists',
    'trigger_bindings',
    'trigger_factories',
    'policy_states',
    'policy_values',
    'custom_sources',
    'triggers',
  ]
  for (const table of [...tables, 'subscriptions', 'templates', 'pgboss.job']) {
    const rows = (url: string) => query(url, `select t::text as row from ${table} t order by 1`)
    const there = await rows(target.url)
    expect(there.length, table).toBeGreaterThan(0)
    expect(there, table).toEqual(await rows(house.databaseUrl))
  }
})

test('the service that starts on the imported store shows the same and keeps its rules', async () => {
  const before = await readEverything(ann)
  moved = await harness({ ...variables, DATABASE_URL: target.url })
  const client = checkedClient(moved.url, ann.token)
  expect(await readEverything(client)).toEqual(before)
  expect(before.sources).toMatchObject([{ explorer, nativeCurrency }, {}])
  expect(before.triggers[0]).toMatchObject({ sourceBindings, conditions })
  expect(before.subscriptions.map(({ policy }) => policy)).toEqual(policies)
  await rejects(client.deleteAddressList({ fullname: 'acme.whales' }), { code: 'in_use' })
})

async function readEverything(client: Client) {
  return {
    list: await client.getAddressList({ fullname: 'acme.whales' }),
    sources: await Promise.all(['one', 'two'].map((name) => client.getCustomSource({ fullname: `acme.${name}` }))),
    runtimeSources: await client.listRuntimeSources({}),
    triggers: await Promise.all(
      ['bound', 'born', 'daily'].map((name) => client.getTrigger({ fullname: `acme.p.${name}` })),
    ),
    template: await client.getTemplate({ fullname: 'acme.p', id: templateId }),
    subscriptions: await Promise.all(subscriptions.map((id) => client.getSubscription({ id }))),
  }
}
