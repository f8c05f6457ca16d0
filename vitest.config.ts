import { defineConfig } from 'vitest/config'

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
    // Most tests wait for something most of the time, so two files run at once. Processes and not threads: the EVM node
    // lives once in a process.
    pool: 'forks',
    maxWorkers: 2,
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
})
