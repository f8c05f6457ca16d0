/** True in `npm run test:long`, which runs some files again with all their cases. */
export const isLongRun = process.env.TEST_PART === 'long'

/** How often a property is checked that takes seconds: `npm test` runs a quarter of its cases. */
export function propertyRuns(all: number): number {
  return isLongRun ? all : Math.ceil(all / 4)
}
