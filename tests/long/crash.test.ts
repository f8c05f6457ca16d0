import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { type Chance, makeChance } from '../simulation/chance.ts'
import { differences } from '../simulation/oracle.ts'
import { withOwnStore } from '../simulation/own-store.ts'
import { makeWorld, type World } from '../simulation/world.ts'

/**
 * Kills the service at every named step between a block and its delivery, and at random moments, and starts it again. An
 * oracle that knows the chain checks that every item has one alert. CRASH_ROUNDS sets the number of rounds, CRASH_SEED
 * repeats them; rounds beyond the named steps are random.
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
  'policy.beforeCommit',
  'policy.afterCommit',
  'deliver.claimed',
  'deliver.taken',
  'deliver.sent',
  'deliver.beforeSettle',
  'deliver.afterSettle',
]
const rounds = Number(process.env.CRASH_ROUNDS ?? 25)
const seed = Number(process.env.CRASH_SEED ?? Date.now() % 2 ** 31)
/** Worlds wait most of the time, so two of them share the rounds in parallel. */
const worlds = 2

test.concurrent.each([...Array(worlds).keys()])(
  `every item leads to one alert, wherever the service is killed (world %i, CRASH_SEED=${seed})`,
  { timeout: 24 * 3_600_000 },
  (at) =>
    withOwnStore(async (own) => {
      const world = await makeWorld({ ...own, seeds: [seed + at], processes: 1 })
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
    if (step) world.services[0]?.tell({ crashAt: step, after: fate.below(isRush && step === 'deliver.sent' ? 150 : 2) })
    for (let made = 0; made < 4; made++) chain?.mine()
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
}

/** Adds blocks until the service has died at the given crash point. */
async function stepReached(world: World, step: string): Promise<void> {
  const [service] = world.services
  let isOver = false
  void service?.ended.then(() => {
    isOver = true
  })
  for (let waited = 0; !isOver; waited++) {
    await pause(100)
    if (waited % 10 === 9) world.chains[0]?.chain.fork(1)
    if (waited > 600) throw new Error(`The step ${step} was never reached`)
  }
}

async function killAtRandom(world: World, fate: Chance): Promise<void> {
  await pause(fate.below(1_500))
  await world.services[0]?.kill()
}
