import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, inject, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const vitest = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url))

/** Runs one file of browser tests on a machine whose only browser does not start. */
async function runBrowserTests(environment: Record<string, string>) {
  const { VITEST, VITEST_WORKER_ID, VITEST_POOL_ID, VITEST_MODE, TEST, NODE_ENV, ...outer } = process.env
  const env = {
    ...outer,
    ...{ TEST_DATABASE_URL: inject('postgresUrl'), NO_COLOR: '1', CI: '', REQUIRE_BROWSER: '' },
    ...{ CHROMIUM_PATH: '/no/browser', ...environment },
  }
  const child = spawn(process.execPath, [vitest, 'run', '--project=browser', 'tests/browser/newcomer.test.ts'], {
    cwd: root,
    env,
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  const [code] = await once(child, 'close')
  return { code, output }
}

test('without a browser its tests are skipped and counted as skipped, and one line says how to get a browser', {
  timeout: 300_000,
}, async () => {
  const { code, output } = await runBrowserTests({})
  expect(code).toBe(0)
  const lines = output.split('\n').filter((line) => line.startsWith('SKIPPED'))
  expect(lines).toEqual([
    expect.stringMatching(/^SKIPPED: all browser tests, because no browser starts .*Install Chrome, Chromium or Edge/),
  ])
  expect(output).toMatch(/Tests +4 skipped \(4\)/)
})

test('without a browser its tests fail if a browser is required', { timeout: 300_000 }, async () => {
  const { code, output } = await runBrowserTests({ REQUIRE_BROWSER: '1' })
  expect(code).toBe(1)
  expect(output).toContain('No browser starts on this machine')
  expect(output).not.toContain('SKIPPED')
})
