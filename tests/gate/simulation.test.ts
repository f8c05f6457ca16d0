import { expect, test } from 'vitest'
import { stillMs } from '../simulation/oracle.ts'
import { withOwnStore } from '../simulation/own-store.ts'
import { type Outcome, simulate } from '../simulation/simulate.ts'

/**
 * SIMULATION_SEEDS sets the number of seeds, SIMULATION_FIRST the first seed. A world has many chains, and worlds wait most
 * of the time, so some run in parallel. `npm run simulate -- --seed N` runs one seed again.
 */
const count = Number(process.env.SIMULATION_SEEDS ?? 20)
const first = Number(process.env.SIMULATION_FIRST ?? 1)
const together = 20

const worlds = Array.from({ length: Math.ceil(count / together) }, (_, index) =>
  Array.from({ length: Math.min(together, count - index * together) }, (_, each) => first + index * together + each),
)

test.concurrent.each(worlds.map((seeds) => [seeds] as const))(
  'alerts agree with the chains, whatever fails (seeds %j)',
  { timeout: 900_000 },
  async (seeds) => {
    requireTruth(await simulateOn(seeds, 1), seeds)
  },
)

test.concurrent.each([2, 3])(
  'the same with %i processes on one PostgreSQL, one of which is killed at random',
  {
    timeout: 900_000,
  },
  async (processes) => {
    const seeds = [1, 2, 3, 4].map((seed) => 1000 * processes + seed + first)
    requireTruth(await simulateOn(seeds, processes), seeds)
  },
)

/** Expects no difference, and that there were alerts that could differ. */
function requireTruth({ wrong, told, takenBack, logMs }: Outcome, seeds: readonly number[]): void {
  expect(wrong).toEqual([])
  expect(told).toBeGreaterThan(20 * seeds.length)
  expect(takenBack).toBeGreaterThan(0)
  // The alert of a log is never later than what counts as stuck, if that of a call in the same transaction is there.
  expect(logMs).toBeLessThan(stillMs)
}

/** With several processes, runs are parked too. */
function simulateOn(seeds: readonly number[], processes: number): Promise<Outcome> {
  return withOwnStore((own) => simulate({ ...own, seeds, processes, parks: processes > 1 }))
}
