import { routes } from '@tocsin/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bodyValuesMax } from '../server/src/engine/threads/index.ts'
import { type Harness, harness, type Person, trigger } from './harness/index.ts'

/** Requests that are too large to be read and checked on the main thread get the same answers as small ones. */

let house: Harness
let ann: Person
beforeAll(async () => {
  house = await harness()
  ann = (await house.team('acme')).owner
  await ann.saveProject({
    fullname: 'acme.p',
    body: {
      fullname: 'acme.p',
      name: 'p',
      workspace: 'acme',
      public: false,
      meta: { title: 'P', description: 'P' },
    },
  })
})
afterAll(() => house.close())

async function send(method: string, path: string, body: string, token?: string) {
  const headers = {
    'content-type': 'application/json',
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  }
  const response = await fetch(`${house.url}${path}`, { method, headers, body })
  return { status: response.status, body: (await response.json()) as { error?: { code: string; message: string } } }
}

const blanks = ' '.repeat(100 * 1024)

test('a definition of a megabyte is saved, validated and previewed as a small one is', async () => {
  const text = 'a {{raw.value}} '.repeat(3_000)
  const labels = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`label-${at}`, 'v']))
  const transform = `/* ${'x'.repeat(30_000)} */ ({ value: 1 })`
  const body = trigger('acme.p.large', { labels, transform, defaults: { short: text.slice(0, 10_000) } } as never)
  expect((await ann.saveTrigger({ fullname: 'acme.p.large', body })).fullname).toBe('acme.p.large')
  expect(await ann.validateTriggerDraft({ fullname: 'acme.p.large', body: body as never })).toMatchObject({
    valid: true,
  })
  const tried = { input: { raw: { value: 1 } }, providers: [], transform: { type: 'javascript', source: transform } }
  expect(await ann.previewTrigger({ body: tried as never })).toMatchObject({
    valid: true,
    output: { raw: { value: 1 } },
  })
})

test('what is wrong with a large definition is told as with a small one', async () => {
  const wrong = (padding: string) =>
    trigger('acme.p.wrong', { transform: `/* ${padding} */ ({`, defaults: { short: '{{#if}' } } as never)
  const issuesOf = async (padding: string) => {
    const answer = await ann.validateTriggerDraft({ fullname: 'acme.p.wrong', body: wrong(padding) as never })
    return answer.issues.map(({ path }) => path)
  }
  expect(await issuesOf('x'.repeat(30_000))).toEqual(await issuesOf('x'))
})

test('a large body that is no JSON, holds what cannot be stored or has too many values is refused', async () => {
  const call = (text: string) => send('POST', routes.previewTrigger.path, text, ann.token)
  const invalid = await call(`{${blanks}"a" "secret"}`)
  expect(invalid).toMatchObject({ status: 400, body: { error: { code: 'invalid_json' } } })
  expect(invalid.body.error?.message).toMatch(/at position 10240\d/)
  expect(invalid.body.error?.message).not.toContain('secret')
  expect(await call(`{${blanks}"input": {"a": "\\u0000"}}`)).toMatchObject({
    status: 400,
    body: { error: { code: 'invalid_payload', details: { issues: [{ path: 'input.a' }] } } },
  })
  const many = await call(`{"input": {"list": [${'0,'.repeat(bodyValuesMax.usual)}0]}}`)
  expect(many).toMatchObject({
    status: 400,
    body: { error: { code: 'invalid_payload', details: { issues: [{ message: 'has more than 50000 values' }] } } },
  })
})

test('so is one of somebody without an account', async () => {
  const keys = Array.from({ length: 40_000 }, (_, at) => `"k${at}":0`).join()
  expect(await send('POST', routes.signIn.path, `{${keys}}`)).toMatchObject({
    status: 400,
    body: { error: { code: 'invalid_payload' } },
  })
})
