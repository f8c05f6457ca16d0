import { setTimeout as pause } from 'node:timers/promises'
import { type Chance, makeChance } from './chance.ts'
import { differences } from './oracle.ts'
import { makeWorld, type SimulatedChain, type World, type WorldOptions } from './world.ts'

export type Outcome = { wrong: string[]; told: number; takenBack: number }

/**
 * Chains that grow, fork and flip while their nodes fail, services are killed, the clock jumps and the database drops its
 * connections. Then the trouble ends, and what people were told must be what is on the chains. Answers what differs, and how much there was
 * to tell and to take back.
 */
export async function simulate(options: WorldOptions & { steps?: number }): Promise<Outcome> {
  const world = await makeWorld(options)
  try {
    const fate = makeChance(options.seeds.reduce((sum, seed) => sum + seed, options.processes))
    world.troubleRate = 0.15
    for (let step = 0; step < (options.steps ?? 30); step++) {
      for (const each of world.chains) turn(each)
      await strike(world, fate)
      await pause(60 + fate.below(120))
    }
    world.troubleRate = 0
    // A node that was found wanting is asked again when its chain goes on.
    for (const { chain } of world.chains) chain.mine()
    const wrong = await differences(world)
    // However slow the machine was while all that went on: now everything was told, so this has to be taken back.
    for (const { chain } of world.chains) chain.fork(3)
    wrong.push(...(await differences(world)))
    return { wrong, told: world.receiver.alerts.size, takenBack: world.receiver.retracted.size }
  } finally {
    await world.close()
  }
}

/** Mostly a block more; now and then another branch, rarely a deep one, or one that was left before. */
function turn({ chain, chance }: SimulatedChain): void {
  const drawn = chance.number()
  if (drawn < 0.6) chain.mine()
  else if (drawn < 0.7) chain.fork(1 + chance.below(3))
  else if (drawn < 0.72) chain.fork(8 + chance.below(12))
  else if (drawn < 0.8) chain.flip()
  else if (drawn < 0.85) for (let made = 0; made < 10; made++) chain.mine()
}

async function strike(world: World, fate: Chance): Promise<void> {
  if (fate.happens(0.08)) {
    const index = fate.below(world.services.length)
    await world.services[index]?.kill()
    // With others to take over, it stays away for a while.
    const away = world.restart(index)
    if (world.services.length === 1) await away
    else await Promise.all([away, pause(fate.below(1_000))])
  }
  if (fate.happens(0.05)) for (const service of world.services) service.tell({ jumpMs: (fate.number() - 0.3) * 60_000 })
  if (fate.happens(0.05)) await dropConnections(world)
}

async function dropConnections({ database }: World): Promise<void> {
  await database.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  )
}
