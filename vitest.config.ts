import { defineConfig } from 'vitest/config'
import { LongestFirst } from './tests/setup/longest-first.ts'

export default defineConfig({
  test: {
    include: [
      'contract/src/**/*.test.ts',
      'console/src/**/*.test.ts',
      'sdk/src/**/*.test.ts',
      'server/src/**/*.test.ts',
      'tests/**/*.test.ts',
    ],
    globalSetup: ['tests/setup/postgres.ts'],
    // Most tests wait for something most of the time, so four files run at once on two cores. Processes and not threads: the EVM node
    // lives once in a process.
    pool: 'forks',
    maxWorkers: 4,
    isolate: false,
    maxConcurrency: 3,
    sequence: { sequencer: LongestFirst },
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
})
