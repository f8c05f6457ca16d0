import { defaultServerConditions } from 'vite'
import { configDefaults, defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { sourceFlags } from './scripts/typescript.mjs'
import { patienceMs } from './tests/harness/look-until.ts'
import { filesAlone, filesWithFewerCases, notUnit, type Tier, tiers } from './tests/setup/tiers.ts'

const conditions = ['@tocsin/source', ...defaultServerConditions]
const seed = 'tests/setup/property-seed.ts'
const [postgres, browser] = ['tests/setup/postgres.ts', 'tests/setup/browser.ts']
const alone = filesAlone(import.meta.dirname)
const withBrowser = { globalSetup: [browser, postgres], runner: 'tests/setup/runner.ts' }

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    // Tests run in processes, because a process can have only one EVM node.
    pool: 'forks',
    execArgv: sourceFlags,
    isolate: false,
    maxConcurrency: 4,
    testTimeout: 120_000,
    // Vitest's own limit is one second, which a busy machine exceeds.
    expect: { poll: { timeout: patienceMs } },
    hookTimeout: 120_000,
    projects: [
      tier('unit', { exclude: notUnit, setupFiles: [seed, 'tests/setup/unit-only.ts'], maxWorkers: 2 }),
      // Most of these tests wait most of the time, so four files run at once on two cores.
      tier('service', { globalSetup: [postgres], exclude: alone, maxWorkers: 4 }),
      tier('browser', { ...withBrowser, exclude: alone, maxWorkers: 4 }),
      tier('browser', { ...withBrowser, name: 'alone', include: alone, isolate: true, maxWorkers: 4 }),
      // Each of these files keeps a core busy; beside others their own services and chains would wait for a turn.
      tier('gate', { globalSetup: [postgres], maxWorkers: 2 }),
      tier('long', {
        ...withBrowser,
        include: [...tiers.long, ...filesWithFewerCases(import.meta.dirname)],
        env: { TEST_TIER: 'long' },
        maxWorkers: 4,
      }),
    ],
  },
})

/** Projects run one after the other, and within a project vitest starts with the files that took longest the last time. */
function tier(name: Tier, { exclude = [], ...test }: TestProjectInlineConfiguration['test'] = {}) {
  return {
    extends: true,
    test: {
      name,
      include: tiers[name],
      exclude: [...configDefaults.exclude, ...exclude],
      setupFiles: [seed],
      sequence: { groupOrder: Object.keys(tiers).indexOf(name) + 1 },
      ...test,
    },
  } satisfies TestProjectInlineConfiguration
}
