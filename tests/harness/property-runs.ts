/** True among the long tests, where every file that imports this one runs again with all its cases (`tests/setup/tiers.ts`). */
export const isLongRun = process.env.TEST_TIER === 'long'

/** How often a property is checked that takes seconds: the short tiers run a quarter of its cases. */
export function propertyRuns(all: number): number {
  return isLongRun ? all : Math.ceil(all / 4)
}
