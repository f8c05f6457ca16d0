import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { seedOf } from '../harness/seed-of.ts'
import { type Chance, makeChance } from '../simulation/chance.ts'
import { explain } from '../simulation/explain.ts'
import { differences, stillMs, watchProgress } from '../simulation/oracle.ts'
import { withOwnStore } from '../simulation/own-store.ts'
import { makeWorld, startHistory, until, type World } from '../simulation/world.ts'

/**
 * Kills the service at every named step between a block and its delivery, and at random moments, and starts it again. An
 * oracle that knows the chain checks that every item has one alert. CRASH_ROUNDS sets the number of rounds, by default one for
 * each step, CRASH_SEED sets their chance; rounds beyond the named steps are random.
 */
const steps = [
  'ingest.fetched',
  'ingest.matched',
  'ingest.beforeCommit',
  'ingest.afterCommit',
  'undo.beforeCommit',
  'undo.afterCommit',
  'release.beforeCommit',
  'release.afterCommit',
  'evaluate.claimed',
  'evaluate.ran',
  'evaluate.beforeCommit',
  'evaluate.afterCommit',
  'evaluate.changedStates',
  'evaluate.parked',
  'policy.beforeCommit',
  'policy.afterCommit',
  'deliver.woken',
  'deliver.taken',
  'deliver.sent',
  'deliver.beforeSettle',
  'deliver.afterSettle',
  'history.beforeCommit',
  'history.afterCommit',
  'history.beforeEnd',
  'history.afterEnd',
]
const rounds = Number(process.env.CRASH_ROUNDS ?? steps.length)
const seed = seedOf('CRASH_SEED')
/** Worlds wait most of the time, so four of them share the rounds in parallel. */
const worlds = 4

test.concurrent.each([...Array(worlds).keys()])(
  `every item leads to one alert, wherever the service is killed (world %i, CRASH_SEED=${seed})`,
  { timeout: 24 * 3_600_000 },
  (at) =>
    withOwnStore(async (own) => {
      // Every other world has a factory, the others watch calls, whatever the seed says.
      const hasFactory = at % 2 === 0
      const traits = hasFactory
        ? { hasFactory: true, watchesCalls: false }
        : { hasFactory: false, watchesCalls: true, hasUnreadableTransactions: false }
      // These nodes always answer, so only a busy machine is late.
      const sourceTimeoutMs = 60_000
      const world = await makeWorld({ ...own, seeds: [seed + at], processes: 1, parks: true, traits, sourceTimeoutMs })
      const isOwn = (_: unknown, index: number) => index % worlds === at
      try {
        await play(
          world,
          makeChance(seed + at),
          Array.from({ length: rounds }, (_, round) => steps[round]).filter(isOwn),
        )
      } finally {
        await world.close()
      }
    }),
)

async function play(world: World, fate: Chance, rounds: readonly (string | undefined)[]): Promise<void> {
  const [chain] = world.chains.map((each) => each.chain)
  for (const [round, step] of rounds.entries()) {
    const isRush = fate.happens(0.2)
    if (step) world.services[0]?.tell({ crashAt: step, after: countBefore(step, fate, isRush) })
    for (let made = 0; made < 4; made++) chain?.mine()
    if (step?.startsWith('history') || fate.happens(0.2)) await beginHistory(world)
    if (isRush) chain?.mineRush()
    if (step?.startsWith('undo') || fate.happens(0.3)) {
      await pause(fate.below(600))
      chain?.fork(1 + fate.below(3))
    }
    await (step ? stepReached(world, step) : killAtRandom(world, fate))
    await world.restart(0)
    expect(await differences(world), `round ${round}, ${step ?? 'at random'}`).toEqual([])
  }
  expect(world.receiver.alerts.size).toBeGreaterThan(rounds.length)
  expect(world.receiver.emptyCount()).toBeGreaterThan(rounds.length)
}

/** How often the step is passed before the service dies at it. A history passes each of its steps at least once. */
function countBefore(step: string, fate: Chance, isRush: boolean): number {
  if (step.startsWith('history')) return 0
  return fate.below(isRush && step === 'deliver.sent' ? 150 : 2)
}

/** Starts a history, unless the service dies first: it may run, and reach its step, before the request is answered. */
async function beginHistory(world: World): Promise<void> {
  const [service] = world.services
  let isOver = false
  void service?.ended.then(() => {
    isOver = true
  })
  const [chain] = world.chains
  if (!chain) return
  const start = () =>
    startHistory(world, chain).then(
      () => true,
      () => isOver,
    )
  await until('a history was started', start)
}

/**
 * Replaces the last block once a second until the service has died at the given crash point. A busy machine needs long for a
 * block, so the service gets time while it moves, but a number of blocks must be enough.
 */
async function stepReached(world: World, step: string): Promise<void> {
  const [service] = world.services
  let isOver = false
  void service?.ended.then(() => {
    isOver = true
  })
  const isStuck = watchProgress(world, stillMs / 1_000)
  const lastBlock = (world.chains[0]?.chain.head.number ?? 0) + blocksMax
  for (let waited = 0; !isOver; waited++) {
    await pause(100)
    if (waited % 10 !== 9) continue
    world.chains[0]?.chain.fork(1)
    if ((await isStuck()) || (await processedBlock(world)) > lastBlock)
      throw new Error([`The step ${step} was never reached.`, ...(await explain(world))].join('\n'))
  }
}

/** Each step is passed at least once in so many blocks. */
const blocksMax = 180

async function processedBlock({ database }: World): Promise<number> {
  const { rows } = await database.query("select max((runtime->>'processedBlock')::int) as number from custom_sources")
  return rows[0].number
}

async function killAtRandom(world: World, fate: Chance): Promise<void> {
  await pause(fate.below(1_500))
  await world.services[0]?.kill()
}
