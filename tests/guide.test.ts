import { globSync, readFileSync } from 'node:fs'
import { ConditionsOfEither, DeliveryMode, Policy, Provider, TriggerSpec } from '@tocsin/contract'
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
