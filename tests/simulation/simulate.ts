import { setTimeout as pause } from 'node:timers/promises'
import { type Chance, makeChance } from './chance.ts'
import { changeSubscriptions, noteLogs } from './mixed.ts'
import { differences } from './oracle.ts'
import { makeWorld, type SimulatedChain, startHistory, until, type World, type WorldOptions } from './world.ts'

/** `logMs`: the longest time that the alert of a log came after that of a call in the same transaction. */
export type Outcome = { wrong: string[]; told: number; takenBack: number; logMs: number }

/**
 * Runs chains that grow, fork and flip while their nodes fail, services are killed, the clock jumps and the database drops
 * its connections. Histories begin meanwhile. Then the faults end, and the alerts must equal what is on the chains. Returns the differences, and the
 * number of alerts and retractions.
 */
export async function simulate(options: WorldOptions & { steps?: number }): Promise<Outcome> {
  const world = await makeWorld(options)
  try {
    const fate = makeChance(options.seeds.reduce((sum, seed) => sum + seed, options.processes))
    world.troubleRate = 0.15
    for (let step = 0; step < (options.steps ?? 30); step++) {
      await mix(world, fate)
      for (const each of world.chains) turn(each)
      await strike(world, fate, options.parks ?? false)
      if (fate.happens(0.2)) await tryHistory(world, fate)
      await pause(60 + fate.below(120))
    }
    world.troubleRate = 0
    await until('a history was started', () => tryHistory(world, fate))
    // A node that the service rests is called again when its chain grows.
    for (const { chain } of world.chains) chain.mine()
    const wrong = await differences(world)
    // All alerts have been delivered by now, even on a slow machine. So this reorg must cause retractions.
    for (const { chain } of world.chains) chain.fork(3)
    wrong.push(...(await differences(world)))
    const logMs = Math.max(0, ...world.chains.map(({ mixed }) => mixed?.latestMs ?? 0))
    return { wrong, told: world.receiver.alerts.size, takenBack: world.receiver.retracted.size, logMs }
  } finally {
    await world.close()
  }
}

/** The next blocks come right after the reply that a subscription is made. */
async function mix(world: World, fate: Chance): Promise<void> {
  const mixed = world.chains.filter((each) => each.mixed)
  for (const { mixed: load } of mixed) if (load) await noteLogs(world, load)
  await Promise.all(mixed.filter(() => fate.happens(0.3)).map((each) => changeSubscriptions(world, each, fate)))
}

/** Usually adds a block; sometimes switches to another branch, rarely a deep or an abandoned one. */
function turn({ chain, chance }: SimulatedChain): void {
  const drawn = chance.number()
  if (drawn < 0.6) chain.mine()
  else if (drawn < 0.7) chain.fork(1 + chance.below(3))
  else if (drawn < 0.72) chain.fork(8 + chance.below(12))
  else if (drawn < 0.8) chain.flip()
  else if (drawn < 0.85) for (let made = 0; made < 10; made++) chain.mine()
}

/** False if the nodes fail, or the service that is asked. */
function tryHistory(world: World, fate: Chance): Promise<boolean> {
  const chain = world.chains[fate.below(world.chains.length)]
  if (!chain) return Promise.resolve(false)
  return startHistory(world, chain).then(
    () => true,
    () => false,
  )
}

async function strike(world: World, fate: Chance, parks: boolean): Promise<void> {
  if (fate.happens(0.08)) {
    const index = fate.below(world.services.length)
    await world.services[index]?.kill()
    // If other processes can take over, the killed one stays away for a while.
    const away = world.restart(index)
    if (world.services.length === 1) await away
    else await Promise.all([away, pause(fate.below(1_000))])
  }
  if (!parks && fate.happens(0.05))
    for (const service of world.services) service.tell({ jumpMs: (fate.number() - 0.3) * 60_000 })
  if (fate.happens(0.05)) await dropConnections(world)
}

async function dropConnections({ database }: World): Promise<void> {
  await database.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  )
}
