import { globSync, readFileSync } from 'node:fs'

const source = '{contract,console,sdk,cli,server}/src'

/**
 * The tier of a test file follows from its name and folder alone. Beside what it tests, `x.test.ts` is a unit test,
 * `x.service.test.ts` needs PostgreSQL, a service or a node of a chain, and `x.long.test.ts` takes long. In tests/ the folder says it.
 */
export const tiers = {
  unit: [`${source}/**/*.test.ts`, 'tests/setup/*.test.ts'],
  service: [`${source}/**/*.service.test.ts`, 'tests/*.test.ts'],
  browser: ['tests/browser/*.test.ts'],
  gate: ['tests/gate/*.test.ts'],
  long: [`${source}/**/*.long.test.ts`, 'tests/long/**/*.test.ts'],
}
export type Tier = keyof typeof tiers

/** Names of other tiers that the patterns of unit tests match too. */
export const notUnit = [...tiers.service, ...tiers.long].filter((pattern) => pattern.startsWith(source))

/** What lets a test check fewer cases in a short tier. */
const fewerCases = ['/harness/property-runs.ts', '/harness/looks.ts']
/** What changes lists of the whole process. A file that imports it gets a process of its own. */
const changesProcess = ['/harness/made-up-chain.ts']

/** Files that check fewer cases in a short tier. They run again with the long ones, with all their cases. */
export function filesWithFewerCases(root: string): string[] {
  return filesNaming(root, fewerCases)
}

/** They run beside the browser tests. */
export function filesAlone(root: string): string[] {
  return filesNaming(root, changesProcess)
}

function filesNaming(root: string, modules: readonly string[]): string[] {
  const files = globSync([...tiers.unit, ...tiers.service, ...tiers.browser], { cwd: root })
  return files.filter((file) => {
    const text = readFileSync(`${root}/${file}`, 'utf8')
    return modules.some((module) => text.includes(module))
  })
}
