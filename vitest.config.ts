import { defaultServerConditions } from 'vite'
import { defineConfig } from 'vitest/config'
import { sourceFlags } from './scripts/typescript.mjs'
import { patienceMs } from './tests/harness/look-until.ts'
import { LongestFirst } from './tests/setup/longest-first.ts'

const { TEST_PART = 'short' } = process.env
const long = 'tests/long/**/*.test.ts'
/** Files of which `npm test` runs fewer cases. */
const withFewerCases = [
  'server/src/domain/addresses/formats/properties.test.ts',
  'server/src/engine/check/index.test.ts',
  'server/src/engine/script/hostile.test.ts',
  'server/src/engine/sources/evm/log-index.test.ts',
  'server/src/engine/sources/item-index.test.ts',
  'server/src/runtime/evaluate/parked-history.test.ts',
  'server/src/runtime/listeners/source-index.test.ts',
  'tests/trigger-patch.test.ts',
]
const all = ['contract/src', 'console/src', 'sdk/src', 'cli/src', 'server/src', 'tests'].map(
  (folder) => `${folder}/**/*.test.ts`,
)

const conditions = ['@tocsin/source', ...defaultServerConditions]

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: TEST_PART === 'long' ? [long, ...withFewerCases] : all,
    exclude: TEST_PART === 'long' ? [] : [long],
    setupFiles: ['tests/setup/property-seed.ts'],
    globalSetup: ['tests/setup/browser.ts', 'tests/setup/postgres.ts'],
    runner: 'tests/setup/runner.ts',
    // Most tests wait most of the time, so four files run at once on two cores. They run in processes, because a process can have
    // only one EVM node.
    pool: 'forks',
    execArgv: sourceFlags,
    maxWorkers: 4,
    isolate: false,
    maxConcurrency: 3,
    sequence: { sequencer: LongestFirst },
    testTimeout: 120_000,
    // Vitest's own limit is one second, which a busy machine exceeds.
    expect: { poll: { timeout: patienceMs } },
    hookTimeout: 120_000,
  },
})
