import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { BodyInput, Routes } from '@tocsin/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { customSource, type Harness, harness, type Person, project, rejects } from './harness/index.ts'

let house: Harness
let ann: Person
let remote: Server
let remoteUrl: string

beforeAll(async () => {
  remote = createServer((request, response) => {
    if (request.url === '/broken') return void response.writeHead(500).end('no')
    response.setHeader('content-type', 'application/json')
    if (request.url === '/graphql') return void response.end(JSON.stringify({ data: { pool: { tvl: '7' } } }))
    if (request.url === '/rpc') return void response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: '0x2a' }))
    response.end(JSON.stringify({ path: request.url, price: '1234.5', key: request.headers['x-key'] ?? null }))
  }).listen(0, '127.0.0.1')
  await new Promise((listening) => remote.once('listening', listening))
  remoteUrl = `http://127.0.0.1:${(remote.address() as AddressInfo).port}`
  house = await harness({ ALLOW_PRIVATE_NETWORKS: 'on' })
  ann = await house.person('ann')
  await ann.saveWorkspace({ fullname: 'acme', body: { fullname: 'acme' } })
})
afterAll(async () => {
  await house.close()
  remote.close()
})

type Preview = BodyInput<Routes['previewTrigger']>
type Test = BodyInput<Routes['testTrigger']>
const preview = (body: Partial<Preview>) =>
  ann.previewTrigger({ body: { providers: [], transform: null, input: { value: '5' }, ...body } })
const timer = { type: 'timer', interval: '1m' }
const tested = (body: Partial<Test>) =>
  ann.testTrigger({
    body: { triggerSpec: timer, providers: [], transform: null, outputSchema: null, ...body },
  })

describe('preview', () => {
  test('runs activation and transforms on the input and checks the output', async () => {
    const result = await preview({
      activation: 'BigInt(source.value) > 4n',
      transform: {
        raw: '({ amount: helpers.formatUnits(source.value, 1), of: providers.price.symbol })',
        human: '({ text: raw.amount + " " + raw.of })',
      },
      providersData: { price: { symbol: 'DOT' } },
      outputSchema: { raw: { amount: 'string', of: 'string' }, human: { text: 'string' } },
    })
    expect(result).toMatchObject({ valid: true, issues: [], debug: { activated: true } })
    expect(result.output).toEqual({ raw: { amount: '0.5', of: 'DOT' }, human: { text: '0.5 DOT' } })
  })

  test('scripts see the time of the item, and the same time at every call if it has none', async () => {
    const shown = async (body: Partial<Preview>) =>
      (await preview({ transform: '({ at: Date.now() })', ...body })).output
    const at = (ms: number) => ({ raw: { at: ms }, human: { at: ms } })
    expect(await shown({ input: { value: 1 } })).toEqual(at(0))
    expect(await shown({ input: { now: '2026-01-01T00:00:00.000Z' } })).toEqual(at(1767225600000))
    expect(await shown({ input: { blockTimestamp: 1767225600 } })).toEqual(at(1767225600000))
    const provider = { id: 'clock', type: 'javascript', source: 'Date.now()' }
    expect(await ann.testProvider({ body: { triggerSpec: timer, provider } })).toMatchObject({ result: 0 })
  })

  test('a transform may return at most a hundred outputs', async () => {
    const many = (count: number) =>
      preview({ transform: { source: `({ outputs: Array(${count}).fill({ raw: {} }) })` } })
    expect(await many(100)).toMatchObject({ valid: true })
    const message = 'returned 101 outputs for one match; at most 100 are allowed'
    expect(await many(101)).toMatchObject({ valid: false, issues: [{ path: 'transform.source', message }] })
  })

  test('an inactive trigger is valid and has no output', async () => {
    expect(await preview({ activation: 'false' })).toMatchObject({
      valid: true,
      output: null,
      debug: { activated: false },
    })
  })

  test('conditions and the activation must both hold, and each part of the conditions is explained', async () => {
    const conditions = {
      all: [
        { param: 'source.value', op: 'gte', value: { amount: '0.5', decimals: 1 } },
        { any: [{ param: 'inputs.mode', op: 'eq', value: 'A' }] },
        { not: { param: 'providers.price.usd', op: 'gt', value: '{{inputs.max}}' } },
        { param: 'source.to', contains: { param: 'this', op: 'eq', value: 'x' } },
      ],
    }
    const given = { conditions, providers: [{ id: 'price', type: 'javascript', source: '1' }], activation: 'true' }
    const run = (usd: number, activation = 'true') =>
      preview({
        ...{ ...given, activation, input: { value: '5', to: ['x'] } },
        ...{ inputs: { mode: 'a', max: 10 }, providersData: { price: { usd } } },
      })
    const held = await run(9)
    expect(held).toMatchObject({ valid: true, issues: [], output: { raw: { value: '5' } }, debug: { activated: true } })
    expect(held.debug.conditions).toEqual([
      { path: 'conditions.all.0', param: 'source.value', op: 'gte', wanted: '5', value: '5', held: true },
      { path: 'conditions.all.1.any.0', param: 'inputs.mode', op: 'eq', wanted: 'A', value: 'a', held: true },
      { path: 'conditions.all.2.not', param: 'providers.price.usd', op: 'gt', wanted: 10, value: 9, held: false },
      {
        ...{ path: 'conditions.all.3', param: 'source.to', op: 'contains', value: ['x'], held: true },
        wanted: { param: 'this', op: 'eq', value: 'x' },
      },
    ])
    const unmet = await run(11)
    expect(unmet).toMatchObject({ valid: true, output: null, debug: { activated: false } })
    expect(unmet.debug.conditions?.[2]).toMatchObject({ value: 11, held: true })
    expect(await run(9, 'false')).toMatchObject({ valid: true, output: null, debug: { activated: false } })
    const wrong = await preview({ conditions: { param: 'value', op: 'eq', value: 1 } })
    expect(wrong).toMatchObject({ valid: false, issues: [{ path: 'conditions.param' }] })
    const nobody = await preview({ conditions: { param: 'providers.nobody.x', op: 'eq', value: 1 } })
    expect(nobody).toMatchObject({ valid: false, issues: [{ path: 'conditions.param' }] })
  })

  test('a transform that returns nothing gives no output, and without a transform the item is the output', async () => {
    expect(await preview({ transform: { rawSource: 'null' } })).toMatchObject({ valid: true, output: null })
    expect((await preview({})).output).toEqual({ raw: { value: '5' }, human: { value: '5' } })
  })

  test('an error in a script names the line, an invalid output the path', async () => {
    const thrown = await preview({ transform: 'const a = 1\nreturn nothing.here' })
    expect(thrown).toMatchObject({ valid: false, output: null, issues: [{ path: 'transform.source' }] })
    expect(thrown.issues[0]?.message).toMatch(/^line 2.*nothing/)
    const wrong = await preview({ transform: '({ amount: 5 })', outputSchema: { amount: 'string' } })
    expect(wrong).toMatchObject({ valid: false, issues: [{ path: 'output.raw.amount' }] })
  })

  test('an invalid provider is an issue, not a refusal', async () => {
    const result = await preview({ providers: [{ id: 'a', type: 'http' }] })
    expect(result).toMatchObject({ valid: false, issues: [{ path: 'providers.0.url' }] })
  })

  test('providers with one id, or that refer to a later one, are issues', async () => {
    const script = (id: string, value = '1') => ({ id, type: 'javascript', source: '1', variables: { value } })
    expect(await preview({ providers: [script('a'), script('a')] })).toMatchObject({
      valid: false,
      issues: [{ path: 'providers.1.id' }],
    })
    expect(await preview({ providers: [script('a', '{{providers.b}}'), script('b')] })).toMatchObject({
      valid: false,
      issues: [{ path: 'providers.0.variables.value' }],
    })
  })

  test('console output of the script is returned', async () => {
    const { debug } = await preview({ transform: 'console.log("hello", source.value); return { a: 1 }' })
    expect(debug.logs).toEqual([{ level: 'log', message: 'hello 5' }])
  })

  test('needs a signed-in account and a valid payload', async () => {
    await rejects(house.nobody.previewTrigger({ body: { providers: [], transform: null, input: {} } }), {
      code: 'unauthenticated',
    })
    await rejects(ann.previewTrigger({ body: { providers: 'all' } as unknown as Preview }), { code: 'invalid_payload' })
  })

  test('a script that never ends is stopped, and the next call works', async () => {
    const stuck = await preview({ transform: 'for (;;) {}' })
    expect(stuck).toMatchObject({ valid: false, issues: [{ path: 'transform.source' }] })
    expect((await preview({ transform: '({ fine: true })' })).output).toMatchObject({ raw: { fine: true } })
  })
})

describe('message preview', () => {
  const parts = {
    output: { raw: { amount: '5', to: 'Ann' }, human: { amount: '5' } },
    ...{ input: {}, trigger: 'acme.pay.large', title: 'Large payments' },
  }
  const shown = (defaults: Record<string, unknown>) => ann.previewMessage({ body: { ...parts, defaults } })

  test('shows the body that each channel would send', async () => {
    const links = [{ title: 'Open', url: 'https://e.example/{{raw.amount}}' }]
    const result = await shown({ title: '{{raw.amount}} < 6', short: 'To {{raw.to}}', severity: 'warning', links })
    expect(result).toMatchObject({ valid: true, issues: [], severity: 'warning', message: { title: '5 < 6' } })
    const channelOf = (kind: string) => result.channels.find(({ blueprint }) => blueprint === `common.delivery.${kind}`)
    const bodyOf = (kind: string) => channelOf(kind)?.body
    expect(bodyOf('telegram')).toMatchObject({
      fields: { text: expect.stringMatching(/^<b>Warning: 5 &lt; 6<\/b>\n\nTo Ann\n\n/) },
    })
    expect(bodyOf('discord')).toMatchObject({ embeds: [{ description: 'To Ann', url: 'https://e.example/5' }] })
    expect(bodyOf('slack')).toMatchObject({
      blocks: [{ type: 'header', text: { text: 'Warning: 5 &lt; 6' } }, {}, {}, {}],
    })
    expect(bodyOf('email')).toMatchObject({ subject: 'Warning: 5 < 6' })
    expect(bodyOf('webhook')).toMatchObject({ data: { severity: 'warning', raw: parts.output.raw } })
    for (const kind of ['discord', 'email', 'slack', 'telegram'])
      expect(channelOf(kind)?.shown).toMatchObject({
        title: 'Warning: 5 < 6',
        text: 'To Ann',
        links: [{ title: 'Open', url: 'https://e.example/5' }],
      })
    expect(channelOf('webhook')).not.toHaveProperty('shown')
    const { length } = await ann.listBlueprints()
    expect(result.channels).toHaveLength(length)
  })

  test('a template that fails has an issue with its place, and the other fields are shown', async () => {
    const result = await shown({ title: 'Paid', short: 'Paid\nto {{raw.to' })
    expect(result).toMatchObject({
      valid: false,
      issues: [{ path: 'defaults.short', message: '`{{` at line 2, column 4 is never closed' }],
      message: { title: 'Paid' },
    })
    expect(result.message).not.toHaveProperty('short')
    expect(await shown({ title: 7 })).toMatchObject({
      valid: false,
      issues: [{ path: 'defaults.title' }],
      channels: [],
    })
    expect(await shown({})).toMatchObject({ valid: true, message: { title: 'Large payments' } })
  })

  test('needs a signed-in account, and read access to the project and the source', async () => {
    const body = { ...parts, defaults: {} }
    await rejects(house.nobody.previewMessage({ body }), { code: 'unauthenticated' })
    await ann.saveProject({ fullname: 'acme.pay', body: project('acme.pay') })
    const eve = await house.person('eve-of-messages')
    await rejects(eve.previewMessage({ body: { ...body, project: 'acme.pay' } }), { code: 'not_found' })
    const triggerSpec = { type: 'evm_log', dataSource: 'acme.closed' } as const
    await ann.saveCustomSource({
      fullname: 'acme.closed',
      body: customSource('acme.closed', { endpoints: ['http://127.0.0.1:9'] }),
    })
    await rejects(eve.previewMessage({ body: { ...body, triggerSpec } }), { code: 'not_found' })
    expect(await ann.previewMessage({ body: { ...body, triggerSpec, project: 'acme.pay' } })).toMatchObject({
      valid: true,
    })
  })
})

describe('test', () => {
  test('runs providers in order, and each sees the results before it', async () => {
    const result = await tested({
      input: { now: '2026-01-01T00:00:00.000Z', timestampMs: 1767225600000 },
      inputs: { pair: 'dot-usd' },
      providers: [
        { id: 'price', type: 'http', url: `${remoteUrl}/{{inputs.pair}}`, headers: { 'x-key': 'secret-key' } },
        { id: 'twice', type: 'javascript', source: 'Number(providers.price.price) * 2' },
      ],
      transform: '({ path: providers.price.path, twice: providers.twice })',
    })
    expect(result).toMatchObject({ valid: true, output: { raw: { path: '/dot-usd', twice: 2469 } } })
    expect(result.debug.metrics.providerCalls).toBe(2)
    expect(JSON.stringify(result.debug)).not.toContain('secret-key')
  })

  test('a provider that fails fails the test, unless it is optional', async () => {
    const broken = { id: 'price', type: 'http', url: `${remoteUrl}/broken` }
    const failed = await tested({ input: {}, providers: [broken] })
    expect(failed).toMatchObject({
      valid: false,
      issues: [{ path: 'providers.0' }],
      debug: { providers: { price: { ok: false } } },
    })
    const tolerant = await tested({
      input: {},
      providers: [{ ...broken, optional: true }],
      transform: '({ got: providers.price })',
    })
    expect(tolerant).toMatchObject({ valid: true, output: { raw: { got: null } } })
  })

  test('a timer is tested on a generated tick or a given one', async () => {
    const { input } = await tested({ test: { now: '2026-02-03T04:05:06.000Z' } })
    expect(input).toEqual({ now: '2026-02-03T04:05:06.000Z', timestampMs: Date.parse('2026-02-03T04:05:06.000Z') })
    expect(await tested({ test: {} })).toMatchObject({ valid: true, sourceEventsCount: 1 })
  })

  test.each([
    ['2026-03-29T06:00:00.000Z', '2026-03-29T01:00:00.000Z'],
    ['2026-10-25T06:00:00.000Z', '2026-10-25T00:30:00.000Z'],
  ])('at %s a timer with cron fields is tested on its last scheduled time, %s', async (now, scheduled) => {
    const triggerSpec = { type: 'timer', interval: '30 2 * * *', timezone: 'Europe/Berlin' }
    const { input } = await tested({ triggerSpec, test: { now } })
    expect(input).toEqual({ now: scheduled, timestampMs: Date.parse(scheduled) })
  })

  test.each([8.64e15, -8.64e15])('a timer is not tested at %d, where dates end', async (now) => {
    const triggerSpec = { type: 'timer', interval: '0 0 29 2 *', timezone: 'Europe/Berlin' }
    expect(await tested({ triggerSpec, test: { now } })).toMatchObject({
      valid: false,
      issues: [{ path: 'test.now', message: 'must be a time' }],
    })
  })

  test('state windows work on a copy: every test starts empty', async () => {
    const providers = [
      {
        id: 'w',
        type: 'state_window',
        dedupeBy: '{{source.timestampMs}}',
        value: '{{source.timestampMs}}',
        keepLast: 5,
        aggregate: ['sum'],
      },
    ]
    for (let round = 0; round < 2; round++) {
      const result = await tested({ test: { now: 1000 }, providers, transform: 'providers.w' })
      expect(result).toMatchObject({ valid: true, output: { raw: { count: 1, duplicate: false, sum: 1000 } } })
    }
  })

  test('a source that has no endpoint, or does not answer, is an issue', async () => {
    const evm = (dataSource: string) => ({ type: 'evm_log', dataSource })
    const none = await tested({ triggerSpec: evm('common.ethereum'), test: { block: 1 } })
    expect(none).toMatchObject({ valid: false, issues: [{ path: 'triggerSpec.dataSource' }] })
    await ann.saveCustomSource({
      fullname: 'acme.away',
      body: customSource('acme.away', { endpoints: ['http://127.0.0.1:9'] }),
    })
    const away = await tested({ triggerSpec: evm('acme.away'), test: { block: 1 } })
    expect(away).toMatchObject({ valid: false, issues: [{ path: 'triggerSpec.dataSource' }] })
    await rejects(tested({ triggerSpec: evm('other.chain'), test: { block: 1 } }), { code: 'not_found' })
  })
})

describe('provider test', () => {
  test('fills placeholders from templateValues and returns the value', async () => {
    const provider = { id: 'price', type: 'http', url: `${remoteUrl}/{{source.symbol}}` }
    const result = await ann.testProvider({
      body: { triggerSpec: timer, provider, templateValues: { 'source.symbol': 'dot' } },
    })
    expect(result).toMatchObject({
      valid: true,
      result: { path: '/dot' },
      debug: { providers: { price: { ok: true } } },
    })
    const unfilled = await ann.testProvider({ body: { triggerSpec: timer, provider } })
    expect(unfilled).toMatchObject({ valid: false, issues: [{ path: 'provider.url' }] })
  })

  test('a provider with retry gets one attempt; a bad retry is refused with its path', async () => {
    const retry = { attempts: 5, delayMs: 60_000, backoff: 'fixed', until: { path: 'path', equals: '/done' } }
    const test = (url: string, more: object = {}) => {
      const provider = { id: 'tx', type: 'http', url: `${remoteUrl}${url}`, retry: { ...retry, ...more } }
      return ann.testProvider({ body: { triggerSpec: timer, provider } })
    }
    expect(await test('/done')).toMatchObject({ valid: true, result: { path: '/done' } })
    const message = 'path is not yet "/done"; gave up after attempt 1 of 5'
    expect(await test('/open')).toMatchObject({ valid: false, issues: [{ path: 'provider.retry', message }] })
    expect(await test('/open', { exhausted: 'continue' })).toMatchObject({ valid: true, result: { path: '/open' } })
    for (const [bad, path] of [
      [{ attempts: 21 }, 'provider.retry.attempts'],
      [{ until: undefined }, 'provider.retry.retryOn'],
    ] as const)
      expect(await test('/done', bad)).toMatchObject({ valid: false, issues: [{ path }] })
  })

  test('GraphQL returns its data, JSON-RPC its result', async () => {
    const one = (provider: { id: string; type: string } & Record<string, unknown>) =>
      ann.testProvider({ body: { triggerSpec: timer, provider } })
    const query = '{ pool(id: 1) { tvl } }'
    const graphql = await one({ id: 'g', type: 'graphql', url: `${remoteUrl}/graphql`, query })
    expect(graphql).toMatchObject({ valid: true, result: { pool: { tvl: '7' } } })
    const rpc = await one({ id: 'r', type: 'rpc', url: `${remoteUrl}/rpc`, method: 'answer', params: [] })
    expect(rpc).toMatchObject({ valid: true, result: '0x2a' })
  })

  test('private addresses are refused unless the operator allows them', async () => {
    const strict = await harness()
    const eve = await strict.person('eve')
    const provider = { id: 'inside', type: 'http', url: `${remoteUrl}/` }
    const result = await eve.testProvider({ body: { triggerSpec: timer, provider } })
    expect(result.valid).toBe(false)
    await strict.close()
  })

  test('a project that the caller may not read is not found', async () => {
    await ann.saveProject({ fullname: 'acme.hidden', body: project('acme.hidden') })
    const eve = await house.person('eve')
    const provider = { id: 'one', type: 'javascript', source: '1' }
    const call = eve.testProvider({ body: { triggerSpec: timer, provider, project: 'acme.hidden' } })
    await rejects(call, { code: 'not_found' })
  })
})

test('an account has a limit of tests at once', async () => {
  const busy = await house.person('busy')
  const calls = Array.from({ length: 30 }, () =>
    busy.previewTrigger({ body: { providers: [], transform: 'for (;;) {}', input: {} } }),
  )
  const outcomes = await Promise.allSettled(calls)
  const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason.code] : []))
  expect(new Set(refused)).toEqual(new Set(['rate_limited']))
  expect(outcomes.some(({ status }) => status === 'fulfilled')).toBe(true)
})

test('an account has a limit of tests a minute, of all kinds together; then the reply says when to retry', async () => {
  const strict = await harness({ RATE_TESTS_PER_MINUTE: '2' })
  try {
    const [person, other] = [await strict.person('eager'), await strict.person('patient')]
    const nothing = { providers: [], transform: null, outputSchema: null }
    const preview = { providers: [], transform: null, input: {} }
    await person.previewTrigger({ body: preview })
    await person.testTrigger({ body: { triggerSpec: timer, input: {}, ...nothing } })
    await rejects(person.previewTrigger({ body: preview }), { code: 'rate_limited', status: 429 })
    expect(await other.previewTrigger({ body: preview })).toMatchObject({ valid: true })
  } finally {
    await strict.close()
  }
})
