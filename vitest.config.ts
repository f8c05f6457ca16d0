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
    pool: 'threads',
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
})
