import { createConfig, lintFromString } from '@redocly/openapi-core'
import spectralCore from '@stoplight/spectral-core'
import { oas } from '@stoplight/spectral-rulesets'
import { beforeAll, expect, test } from 'vitest'
import { sharedHarness } from '../harness/index.ts'

let text: string
beforeAll(async () => {
  const { url } = await sharedHarness()
  text = await (await fetch(`${url}/api/openapi.json`)).text()
})

test('the OpenAPI document keeps the recommended rules of Redocly', { timeout: 300_000 }, async () => {
  // The specification has paths such as /api/projects/by-link/:token: a fixed segment goes before a name.
  const config = await createConfig({ extends: ['recommended'], rules: { 'no-ambiguous-paths': 'off' } })
  const problems = await lintFromString({ source: text, absoluteRef: '/openapi.json', config })
  expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([])
})

// Spectral checks every example against its schema, which takes ten seconds of CPU time.
test('the OpenAPI document keeps the recommended rules of Spectral', { timeout: 300_000 }, async () => {
  const spectral = new spectralCore.Spectral()
  spectral.setRuleset({ extends: [[{ ...oas, extends: [] }, 'recommended']] })
  const problems = await spectral.run(JSON.parse(text))
  expect(problems.map(({ code, path }) => `${code}: ${path.join('/')}`)).toEqual([])
})
