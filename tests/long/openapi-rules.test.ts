import spectralCore from '@stoplight/spectral-core'
import { oas } from '@stoplight/spectral-rulesets'
import { expect, test } from 'vitest'
import { sharedHarness } from '../harness/index.ts'

// Spectral checks every example against its schema, which takes ten seconds of CPU time.
test('the OpenAPI document keeps the recommended rules of Spectral', { timeout: 300_000 }, async () => {
  const { url } = await sharedHarness()
  const spectral = new spectralCore.Spectral()
  spectral.setRuleset({ extends: [[{ ...oas, extends: [] }, 'recommended']] })
  const text = await (await fetch(`${url}/api/openapi.json`)).text()
  const problems = await spectral.run(JSON.parse(text))
  expect(problems.map(({ code, path }) => `${code}: ${path.join('/')}`)).toEqual([])
})
