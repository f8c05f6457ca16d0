import { type Route, type RouteName, routes } from '@tocsin/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { prepareCalls } from './harness/calls.ts'
import { query } from './harness/embedded/data-folders.ts'
import { until } from './harness/following.ts'
import { checkedClient, customSource, type Harness, harness, project, rejects, type Team } from './harness/index.ts'
import { type ReplicatedPostgres, startReplicatedPostgres } from './harness/replicated-postgres.ts'

let postgres: ReplicatedPostgres
/** Waits for a replica that is behind, as long as a slow machine needs. */
let patient: Harness
/** Goes to the primary at once. */
let hasty: Harness
let team: Team

beforeAll(async () => {
  postgres = await startReplicatedPostgres()
  const variables = {
    DATABASE_URL: postgres.primaryUrl,
    DATABASE_READ_URL: postgres.replicaUrl,
    SECRET_KEY: 'replica '.repeat(5),
    ALLOW_PRIVATE_NETWORKS: 'on',
  }
  patient = await harness({ ...variables, DATABASE_READ_LAG_MS: '60000' })
  hasty = await harness({ ...variables, DATABASE_READ_LAG_MS: '1' })
  team = await patient.team('acme')
})
afterAll(async () => {
  await hasty?.close()
  await patient?.close()
  await postgres?.close()
})

/** How many reads had each outcome, from the metrics. */
async function readsOf(house: Harness): Promise<Record<string, number>> {
  const text = await (await fetch(`${house.url}/metrics`)).text()
  const found = text.matchAll(/^tocsin_replica_reads_total\{outcome="(\w+)"\} (\d+)$/gm)
  return Object.fromEntries([...found].map(([, outcome = '', count]) => [outcome, Number(count)]))
}
const pauseReplay = async () => {
  await query(postgres.replicaUrl, 'select pg_wal_replay_pause()')
  const isPaused = "select from pg_get_wal_replay_pause_state() state where state = 'paused'"
  await until(
    () => query(postgres.replicaUrl, isPaused),
    (rows) => rows.length === 1,
  )
}
const resumeReplay = () => query(postgres.replicaUrl, 'select pg_wal_replay_resume()')
const untilReplica = async (house: Harness, list: () => Promise<unknown>) => {
  const before = await readsOf(house)
  await until(
    async () => {
      await list()
      return readsOf(house)
    },
    (reads) => Number(reads.replica) > Number(before.replica),
  )
}

const listed = (Object.entries(routes) as [RouteName, Route][])
  .filter(([name, { list }]) => list || name === 'getTriggerLogs' || name === 'getCustomSourceLogs')
  .map(([name]) => name)
  // It reads the chain of a source, not the store.
  .filter((name) => name !== 'listSubstratePallets')

test('every list and log is read from the replica, except the one that writes', async () => {
  const calls = await prepareCalls(patient, team)
  for (const name of listed) {
    const call = team.owner[name] as (args: unknown) => Promise<unknown>
    const args = await calls[name](team.owner)
    const before = await readsOf(patient)
    await call(args)
    const { replica = 0, ...others } = await readsOf(patient)
    const { replica: replicaBefore = 0, ...othersBefore } = before
    expect([name, replica - replicaBefore]).toEqual([name, name === 'listTransferRequests' ? 0 : 1])
    expect(others).toEqual(othersBefore)
  }
})

test('a caller sees what it has just saved', async () => {
  for (const name of ['acme.one', 'acme.two', 'acme.three']) {
    await team.owner.saveProject({ fullname: name, body: project(name) })
    expect((await team.owner.listProjects()).map(({ fullname }) => fullname)).toContain(name)
  }
})

test('a refusal comes from the replica too', async () => {
  const before = await readsOf(patient)
  await rejects(team.stranger.listAcl({ workspace: 'acme' }), { code: 'not_found' })
  expect(Number((await readsOf(patient)).replica) - Number(before.replica)).toBe(1)
})

test('streams read the replica', async () => {
  const before = await readsOf(patient)
  const left = new AbortController()
  const events = await team.owner.streamEvents({ signal: left.signal })
  const body = customSource('acme.streamed', { endpoints: ['http://127.0.0.1:9'] })
  await team.owner.saveCustomSource({ fullname: 'acme.streamed', body })
  let seen = ''
  while (!seen.includes('"acme.streamed"')) seen += JSON.stringify((await events.next()).value)
  left.abort()
  expect(Number((await readsOf(patient)).replica)).toBeGreaterThan(Number(before.replica))
})

test('while the replica is behind, lists come from the primary: nobody reads what is no longer theirs', async () => {
  const user = checkedClient(hasty.url, team.user.token)
  await untilReplica(hasty, () => user.listWorkspaces())
  const entry = (await team.owner.listAcl({ workspace: 'acme' })).find(({ user }) => user.id === team.user.id)
  await pauseReplay()
  await team.owner.deleteAclEntry({ workspace: 'acme', entryId: entry?.id ?? '' })
  await rejects(user.listAcl({ workspace: 'acme' }), { code: 'not_found' })
  expect((await user.listWorkspaces()).map(({ fullname }) => fullname)).not.toContain('acme')
  expect(hasty.logs.join('')).toContain('the replica is behind; lists are read from the primary')
  expect(Number((await readsOf(hasty)).behind)).toBeGreaterThan(0)
  await resumeReplay()
  await untilReplica(hasty, () => user.listWorkspaces())
  expect(hasty.logs.join('')).toContain('lists are read from the replica again')
})

test('while the replica is down, lists come from the primary', async () => {
  const before = await readsOf(patient)
  await postgres.stopReplica()
  expect((await team.owner.listWorkspaces()).map(({ fullname }) => fullname)).toContain('acme')
  expect(Number((await readsOf(patient)).failed) - Number(before.failed)).toBe(1)
  expect(patient.logs.join('')).toContain('the replica cannot be read; lists are read from the primary')
  await postgres.startReplica()
  await untilReplica(patient, () => team.owner.listWorkspaces())
})

test('a server that was promoted beside the primary has another history and is not read', async () => {
  const owner = checkedClient(hasty.url, team.owner.token)
  await untilReplica(hasty, () => owner.listWorkspaces())
  await query(postgres.replicaUrl, 'select pg_promote()')
  await query(postgres.replicaUrl, 'delete from members')
  const before = await readsOf(hasty)
  expect((await owner.listWorkspaces()).map(({ fullname }) => fullname)).toContain('acme')
  expect(Number((await readsOf(hasty)).replica)).toBe(before.replica)
})
