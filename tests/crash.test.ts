import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { run, withDatabase } from './setup/postgres.ts'
import { type Chance, makeChance } from './simulation/chance.ts'
import { differences } from './simulation/oracle.ts'
import { makeWorld, type World } from './simulation/world.ts'

/**
 * The service is killed at every named step between a block and its delivery, and at random moments, and started again;
 * an oracle that knows the chain says whether everything was told once. CRASH_ROUNDS and CRASH_SEED make it longer or
 * repeat it; the rounds beyond the named steps are random.
 */
const steps = [
  'ingest.fetched',
  'ingest.matched',
  'ingest.beforeCommit',
  'ingest.afterCommit',
  'undo.beforeCommit',
  'undo.afterCommit',
  'evaluate.claimed',
  'evaluate.ran',
  'evaluate.beforeCommit',
  'evaluate.afterCommit',
  'deliver.claimed',
  'deliver.taken',
  'deliver.sent',
  'deliver.beforeSettle',
  'deliver.afterSettle',
]
const rounds = Number(process.env.CRASH_ROUNDS ?? 25)
const seed = Number(process.env.CRASH_SEED ?? Date.now() % 2 ** 31)
const database = `tocsin_${randomBytes(6).toString('hex')}`
const dataDir = mkdtempSync(join(tmpdir(), 'tocsin-crash-'))
let world: World
let fate: Chance

beforeAll(async () => {
  await run(inject('postgresUrl'), `create database ${database} template ${inject('templateDatabase')}`)
  const databaseUrl = withDatabase(inject('postgresUrl'), database)
  world = await makeWorld({ databaseUrl, dataDir, seeds: [seed], processes: 1 })
  fate = makeChance(seed)
})
afterAll(async () => {
  await world.close()
  await run(inject('postgresUrl'), `drop database ${database} with (force)`)
  rmSync(dataDir, { recursive: true, force: true })
})

test(`every item is told of once, wherever the service is killed (CRASH_SEED=${seed})`, {
  timeout: 24 * 3_600_000,
}, async () => {
  const [chain] = world.chains.map((each) => each.chain)
  for (let round = 0; round < rounds; round++) {
    const step = steps[round]
    if (step) world.services[0]?.tell({ crashAt: step, after: fate.below(2) })
    for (let made = 0; made < 4; made++) chain?.mine()
    if (step?.startsWith('undo') || fate.happens(0.3)) {
      await pause(fate.below(600))
      chain?.fork(1 + fate.below(3))
    }
    await (step ? stepReached() : killAtRandom())
    await world.restart(0)
    expect(await differences(world), `round ${round}, ${step ?? 'at random'}`).toEqual([])
  }
  expect(world.receiver.alerts.size).toBeGreaterThan(rounds)
})

/** The chain goes on until the service has died where it was told to. */
async function stepReached(): Promise<void> {
  const [service] = world.services
  let isOver = false
  void service?.ended.then(() => {
    isOver = true
  })
  for (let waited = 0; !isOver; waited++) {
    await pause(100)
    if (waited % 10 === 9) world.chains[0]?.chain.fork(1)
    if (waited > 600) throw new Error('The step was never reached')
  }
}

async function killAtRandom(): Promise<void> {
  await pause(fate.below(1_500))
  await world.services[0]?.kill()
}
