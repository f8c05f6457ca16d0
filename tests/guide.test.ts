import { execFile, spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import {
  ConditionsOfEither,
  DeliveryMode,
  Policy,
  Provider,
  routes,
  SeverityRules,
  TriggerSpec,
} from '@tocsin/contract'
import { beforeAll, expect, test } from 'vitest'
import type * as z from 'zod'
import { standardBody } from '../server/src/engine/destinations/webhook-body.ts'
import { type Harness, type Person, sharedHarness } from './harness/index.ts'

const folder = new URL('../docs/guide/', import.meta.url)
const pages = globSync('*.md', { cwd: folder })
const read = (page: string) => readFileSync(new URL(page, folder), 'utf8')

/** The code blocks whose first line has these words, with their page. */
function blocks(words: string): { page: string; code: string }[] {
  const form = new RegExp(`^\`\`\`${words}\\n([\\s\\S]*?)^\`\`\`$`, 'gm')
  return pages.flatMap((page) => [...read(page).matchAll(form)].map(([, code = '']) => ({ page, code })))
}

const schemas: Record<string, z.ZodType> = {
  triggerSpec: TriggerSpec,
  condition: ConditionsOfEither,
  policy: Policy,
  delivery: DeliveryMode,
  severity: SeverityRules,
  provider: Provider,
}

test.each(Object.keys(schemas))('every %s in the guide is one that the service accepts, field by field', (kind) => {
  const shown = blocks(`json ${kind}`)
  expect(shown.length).toBeGreaterThan(0)
  for (const { page, code } of shown) {
    const given: unknown = JSON.parse(code)
    expect(schemas[kind]?.parse(given), `${page}: ${code}`).toMatchObject(given as object)
  }
})

test('every other JSON in the guide can be read', () => {
  for (const { page, code } of blocks('json')) expect(() => JSON.parse(code), page).not.toThrow()
})

test('the body in the guide has the fields of a webhook', () => {
  const shown = blocks('json').find(({ page, code }) => page === 'webhooks.md' && code.includes('"timestamp"'))
  const given = JSON.parse(shown?.code ?? '{}') as { data: object }
  const { id, subscription, workspace, project, trigger } = { ...given.data } as Record<string, string>
  const about = { alertId: `${id}`, workspace: `${workspace}`, project: `${project}`, trigger: `${trigger}` }
  const context = {
    ...{ ...about, subscription: `${subscription}`, severity: 'info' as const, state: null, backfilled: false },
    ...{ rawJson: '{}', humanJson: '{}', source: 's', block: { number: 1, hash: '0x' }, createdAt: new Date() },
  }
  const sent = JSON.parse(standardBody({ kind: 'alert', messageJson: '{}', context }))
  expect(Object.keys(given)).toEqual(Object.keys(sent))
  expect(Object.keys(given.data)).toEqual(Object.keys(sent.data))
})

let house: Harness
let ann: Person
beforeAll(async () => {
  house = await sharedHarness()
  ann = await house.person('ann')
})

test('every script in the guide runs', async () => {
  const shown = blocks('js script')
  expect(shown.length).toBeGreaterThan(0)
  const params = { from: `0x${'1'.repeat(40)}`, to: `0x${'2'.repeat(40)}`, value: '1250000000' }
  for (const { code } of shown) {
    const body = {
      triggerSpec: { type: 'timer', interval: '1m' } as const,
      providers: [],
      transform: code,
      input: { params },
    }
    const reply = await ann.previewTrigger({ body })
    expect(reply).toMatchObject({ valid: true, output: { raw: { amount: '1250', isRound: true } } })
  }
})

test('every message template in the guide renders', async () => {
  const shown = blocks('handlebars')
  expect(shown.length).toBeGreaterThan(0)
  const raw = { value: '5', from: `0x${'1'.repeat(40)}`, to: `0x${'2'.repeat(40)}`, isLarge: true, usd: 1250.5 }
  for (const { code: long } of shown) {
    const body = { defaults: { long }, output: { raw, human: {} }, input: {}, trigger: 'a.b.c', title: 'T' }
    const { issues, message } = await ann.previewMessage({ body })
    expect([issues, message?.long]).toEqual([[], expect.stringContaining('Large: $1,250.50')])
  }
})

test('the token in docs/security.md is one that the service accepts, field by field', () => {
  const page = readFileSync(new URL('../security.md', folder), 'utf8')
  const given: unknown = JSON.parse(/^```json\n(\{"name"[\s\S]*?)^```$/m.exec(page)?.[1] ?? '')
  expect(routes.createToken.body.parse(given)).toEqual(given)
})

test('the commands for curl in README.md work one after the other', async ({ skip }) => {
  if (spawnSync('curl', ['--version']).status !== 0) skip('curl is not on this machine')
  const page = readFileSync(new URL('../../README.md', folder), 'utf8')
  const section = /^## First steps with curl$([\s\S]*?)^## /m.exec(page)?.[1] ?? ''
  const commands = [...section.matchAll(/^```sh\n([\s\S]*?)^```$/gm)]
    .map(([, code = '']) => code.replace(/^(TOKEN|API)=.*$/gm, ''))
    .join('\n')
    // Each answer on a line of its own. Other tests have a workspace of this name too.
    .replaceAll('curl -s', "curl -s -w '\\n'")
    .replaceAll('acme', 'readme')
  const env = { PATH: process.env.PATH, TOKEN: ann.token, API: `${house.url}/api` }
  const { stdout } = await promisify(execFile)('sh', ['-c', commands], { env })
  const replies = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(replies).toHaveLength(8)
  expect(replies.filter((reply) => 'error' in reply)).toEqual([])
  expect(replies.at(-1)).toMatchObject({ valid: true, output: { raw: { at: expect.any(String) } } })
})
