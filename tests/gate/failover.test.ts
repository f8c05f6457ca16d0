import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { query } from '../harness/embedded/data-folders.ts'
import { type ReplicatedPostgres, startReplicatedPostgres } from '../harness/replicated-postgres.ts'
import { differences } from '../simulation/oracle.ts'
import { makeWorld, until, type World } from '../simulation/world.ts'

let postgres: ReplicatedPostgres
let dataDir: string
let world: World

beforeAll(async () => {
  postgres = await startReplicatedPostgres({ isSynchronous: true })
  dataDir = mkdtempSync(join(tmpdir(), 'tocsin-failover-'))
  world = await makeWorld({ databaseUrl: postgres.bothUrl, dataDir, seeds: [1, 2, 3, 4], processes: 2 })
})
afterAll(async () => {
  await world?.close()
  await postgres?.close()
  rmSync(dataDir, { recursive: true, force: true })
})

/** Blocks of all chains, a tenth of a second apart. */
async function mine(rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    for (const { chain } of world.chains) chain.mine()
    await pause(100)
  }
}

test('the primary dies while events flow, its synchronous replica is promoted, and no alert is lost or doubled', async () => {
  await mine(10)
  // The primary dies while the alerts of these blocks are being recorded and delivered.
  for (const { chain } of world.chains) chain.mineRush()
  const before = world.receiver.alerts.size
  await until('deliveries are under way', async () => world.receiver.alerts.size > before)
  await postgres.killPrimary()
  await mine(10)
  await query(postgres.replicaUrl, 'select pg_promote()')
  await mine(10)
  expect(await differences(world)).toEqual([])
  const wanted = world.chains.flatMap(({ chain, base }) => chain.wanted(base))
  // The subscriptions that wait for confirmations or for a state have alerts of their own.
  expect(world.receiver.alerts.size).toBeGreaterThanOrEqual(wanted.length)
})
