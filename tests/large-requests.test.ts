import { Worker } from 'node:worker_threads'
import { routes } from '@tocsin/contract'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { bodyValuesMax } from '../server/src/engine/threads/index.ts'
import { type Harness, harness, type Person, rejects, trigger } from './harness/index.ts'

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
afterEach(() => vi.restoreAllMocks())

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

/** The tasks that threads get while `work` runs. */
async function tasksDuring(work: () => Promise<unknown>): Promise<string[]> {
  const sent = vi.spyOn(Worker.prototype, 'postMessage')
  await work()
  return sent.mock.calls.map(([message]) => (message as { name: string }).name)
}

const spec = (abiFragment: unknown) => ({ type: 'evm_log', dataSource: 'common.ethereum', event: 'E', abiFragment })
const planOf = (payload: object, stack = 'large') =>
  ann.planStack({ fullname: 'acme', body: { stack, entities: [{ kind: 'trigger', payload: payload as never }] } })
const parts = { providers: [], transform: null, outputSchema: null }
const output = { raw: {}, human: {} }
const sourceBindings = [{ id: 'one', dataSource: 'common.ethereum' }]
const tried: [part: string, task: string, call: (wrong: number[]) => Promise<unknown>][] = [
  ['an entity of a stack', 'readEntity', (wrong) => planOf(trigger('acme.p.planned', { tags: wrong as never }))],
  [
    'the spec of a test',
    'readSpec',
    (wrong) => ann.testTrigger({ body: { ...parts, triggerSpec: spec(wrong), input: {} } }),
  ],
  ['the spec of a search', 'readSpec', (wrong) => ann.findLatestBlock({ body: { triggerSpec: spec(wrong) } })],
  [
    'the spec of a test on one of several sources',
    'readBindings',
    (wrong) => ann.testTrigger({ body: { ...parts, triggerSpec: spec(wrong), sourceBindings, input: {} } }),
  ],
  [
    'the provider of a test',
    'readProvider',
    (wrong) => ann.testProvider({ body: { triggerSpec: null, provider: { id: 'a', type: 'rpc', method: wrong } } }),
  ],
  [
    'the message of a preview',
    'readMessage',
    (wrong) =>
      ann.previewMessage({
        body: { trigger: 'acme.p.t', title: 'T', input: {}, output, defaults: { links: wrong } } as never,
      }),
  ],
]
test.each(tried)('%s is read in a thread if it is above 16 KiB', async (_, task, call) => {
  expect(await tasksDuring(() => call(Array(10).fill(0)))).toEqual([])
  expect(await tasksDuring(() => call(Array(9_000).fill(0)))).toContain(task)
})

test('so is a body', async () => {
  const previewOf = (text: string) => () => ann.previewTrigger({ body: { ...parts, input: { text } } })
  expect(await tasksDuring(previewOf('a'))).toEqual([])
  expect(await tasksDuring(previewOf('a'.repeat(17 * 1024)))).toEqual(['readBody'])
})

test('so is a draft of an import', async () => {
  const draftsOf = (count: number) => {
    const inputs = Array.from({ length: count }, (_, at) => ({ name: `value${at}`, type: 'uint256' }))
    const body = { project: 'acme.p', source: 'common.ethereum', abi: [{ type: 'event', name: 'Large', inputs }] }
    return async () => expect((await ann.importEvmDrafts({ body })).drafts).toHaveLength(1)
  }
  expect(await tasksDuring(draftsOf(1))).toEqual([])
  expect(await tasksDuring(draftsOf(300))).toEqual(['readDefinition'])
})

test('a plan refuses a trigger above its limit as a save does, and does not hash what is in it', async () => {
  const large = (letter: string) =>
    trigger('acme.p.oversize', { backend: { type: 'sdk', values: letter.repeat(300_000) } })
  const saved = await rejects(ann.saveTrigger({ fullname: 'acme.p.oversize', body: large('a') }), {
    code: 'invalid_payload',
  })
  const message = expect.stringMatching(/^is 30\d{4} bytes; a trigger may have at most 262144$/)
  expect(saved.details).toEqual({ issues: [{ path: '', message }] })
  const [first, second] = [await planOf(large('a'), 'oversize'), await planOf(large('b'), 'oversize')]
  expect(first.issues).toEqual([{ kind: 'trigger', fullname: 'acme.p.oversize', path: '', message }])
  expect(second.planHash).toBe(first.planHash)
})
