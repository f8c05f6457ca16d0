import { defaultLimits } from '@tocsin/contract'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { propertyRuns } from '../../../../tests/harness/property-runs.ts'
import { checkDefinition, checkProvider, readDefinition } from './index.ts'

const abiFragment = 'event Transfer(address indexed from, address indexed to, uint256 value)'
const valid = {
  name: 't',
  fullname: 'acme.p.t',
  project: 'acme.p',
  workspace: 'acme',
  backend: { type: 'sdk' },
  inputs: { wallet: { type: 'address', addressType: 'evm' } },
  meta: { title: 'T' },
  triggerSpec: {
    type: 'evm_log',
    dataSource: 'common.ethereum',
    contract: `0x${'aB'.repeat(20)}`,
    event: 'Transfer',
    abiFragment,
  },
  providers: [
    { id: 'price', type: 'http', url: 'https://api.example.com/{{source.address}}', headers: { 'x-key': 'k' } },
    {
      id: 'pool',
      type: 'graphql',
      url: 'https://g.example.com',
      query: 'query { a { b }}',
      variables: { p: '{{providers.price.usd?}}' },
    },
    { id: 'node', type: 'rpc', transport: 'source', method: 'eth_call', params: ['{{inputs.wallet}}'] },
    {
      id: 'read',
      type: 'evm_read',
      contract: '{{source.address}}',
      method: 'f',
      abiFragment: 'function f(uint256) returns (uint256)',
      args: [1],
    },
    { id: 'account', type: 'solana_account', account: '', pda: { seeds: [{ type: 'string', value: 'vault' }] } },
    { id: 'token', type: 'token_metadata', contract: '{{source.address}}', source: 'common.y' },
    { id: 'feed', type: 'price', feed: '{{source.address}}', source: 'common.y', maxAgeMs: 3_600_000 },
    { id: 'mint', type: 'token_metadata', contract: 'So11111111111111111111111111111111111111112' },
    { id: 'asset', type: 'token_metadata', contract: '1984' },
    { id: 'storage', type: 'substrate_storage', module: 'System', entry: 'Account', args: ['{{source.params.to}}'] },
    {
      id: 'window',
      type: 'state_window',
      dedupeBy: '{{source.index}}',
      value: '{{source.params.value}}',
      keepLast: 10,
    },
    { id: 'code', type: 'javascript', source: 'return providers.price', variables: { a: '{{source.address}}' } },
  ],
  filtersSchema: { to: { type: 'address', sourcePath: 'params.to' } },
  outputSchema: { raw: { to: 'address' }, human: { to: 'string' } },
  transform: { rawSource: '({ to: source.params.to })', humanSource: '({ to: raw.to })' },
  activation: 'source.params.value > 0',
  executionPolicy: { timeoutMs: 1000 },
  defaults: { title: '{{raw.to}}', short: '{{#if raw.to}}{{address raw.to}}{{/if}}' },
}

async function pathsOf(change: object): Promise<string[]> {
  const read = await readDefinition({ ...valid, ...change }, defaultLimits)
  return read.ok ? [] : read.issues.map((issue) => issue.path)
}

test('a whole definition is valid', async () => {
  const read = await readDefinition(valid, defaultLimits)
  expect(read).toMatchObject({ ok: true })
  if (read.ok) expect(await checkDefinition(read.definition)).toEqual([])
})

test('conditions may name the item, inputs and providers', async () => {
  const conditions = {
    all: [
      { param: 'source.params.value', op: 'gte', value: { amount: '1.5', decimals: 6 } },
      { any: [{ param: 'inputs.wallet', op: 'eq', value: '{{inputs.wallet}}' }] },
      { not: { param: 'providers.price.usd', op: 'lt', value: 1 } },
      { param: 'source.params.value', op: 'lt', value: { amount: '{{inputs.wallet}}', token: '{{source.address}}' } },
      { param: 'source.topics.length', op: 'eq', value: 3 },
      { param: 'providers.price.length', op: 'eq', value: 0 },
      { param: 'source.args', contains: { param: 'to', op: 'eq', value: `0x${'1'.repeat(40)}` } },
    ],
  }
  expect(await pathsOf({ conditions })).toEqual([])
})

const provider = (fields: object) => ({ providers: [{ id: 'a', ...fields }] })
const retried = { type: 'http', url: 'https://x.io' }
const retry = { attempts: 3, delayMs: 250, backoff: 'fixed', retryOn: ['http_error'] }
/** Other specs have other fields than the providers and filters of the valid definition name. */
const alone = { providers: [], filtersSchema: {} }
const spec = (fields: object) => ({
  ...{ triggerSpec: { dataSource: 'common.x', ...fields } },
  ...alone,
})

test.each([
  [spec({ type: 'evm_log', contract: '0x12' }), 'triggerSpec.contract'],
  [spec({ type: 'evm_log', contract: [] }), 'triggerSpec.contract'],
  [spec({ type: 'evm_log', contract: 5 }), 'triggerSpec.contract'],
  [spec({ type: 'evm_log', contract: Array(1001).fill(valid.triggerSpec.contract) }), 'triggerSpec.contract'],
  [spec({ type: 'evm_log', contract: [valid.triggerSpec.contract, '0x12'] }), 'triggerSpec.contract.1'],
  [spec({ type: 'evm_log', event: 'Approval', abiFragment }), 'triggerSpec.event'],
  [spec({ type: 'evm_log', event: 'Transfer' }), 'triggerSpec.event'],
  [spec({ type: 'evm_log', event: 'Transfer(wallet,uint256)' }), 'triggerSpec.event'],
  [spec({ type: 'evm_log', event: 'Transfer(uint256' }), 'triggerSpec.event'],
  [spec({ type: 'evm_log', abiFragment: 'nonsense' }), 'triggerSpec.abiFragment'],
  [spec({ type: 'evm_log', topicsCount: 5 }), 'triggerSpec.topicsCount'],
  [spec({ type: 'evm_log', dataBytes: -1 }), 'triggerSpec.dataBytes'],
  [spec({ type: 'evm_transaction', dataSource: 'no such!' }), 'triggerSpec.dataSource'],
  [spec({ type: 'evm_call', contract: [] }), 'triggerSpec.contract'],
  [spec({ type: 'evm_call', contract: '0x12' }), 'triggerSpec.contract'],
  [spec({ type: 'evm_call', method: 'pay' }), 'triggerSpec.method'],
  [spec({ type: 'evm_call', method: '0x1234' }), 'triggerSpec.method'],
  [spec({ type: 'evm_call', method: 'pay(wallet)' }), 'triggerSpec.method'],
  [spec({ type: 'evm_call', method: 'pay(uint256' }), 'triggerSpec.method'],
  [spec({ type: 'evm_call', method: 'pay', abiFragment: 'function stop()' }), 'triggerSpec.method'],
  [spec({ type: 'evm_call', method: 'pay(uint8)', abiFragment: 'function pay(uint16 a)' }), 'triggerSpec.method'],
  [spec({ type: 'evm_call', method: '0xa9059cbb', abiFragment: 'function stop()' }), 'triggerSpec.method'],
  [spec({ type: 'evm_call', abiFragment }), 'triggerSpec.abiFragment'],
  [spec({ type: 'evm_call', abiFragment: 'nonsense' }), 'triggerSpec.abiFragment'],
  [spec({ type: 'evm_call', success: 'yes' }), 'triggerSpec.success'],
  [spec({ type: 'evm_call', internal: 'yes' }), 'triggerSpec.internal'],
  [spec({ type: 'evm_block', every: 0 }), 'triggerSpec.every'],
  [spec({ type: 'evm_block', every: 1.5 }), 'triggerSpec.every'],
  [spec({ type: 'evm_block', every: 100_001 }), 'triggerSpec.every'],
  [spec({ type: 'substrate_event', pallet: 'no pallet' }), 'triggerSpec.pallet'],
  [spec({ type: 'substrate_call', pallet: 'no pallet' }), 'triggerSpec.pallet'],
  [spec({ type: 'substrate_call', call: '' }), 'triggerSpec.call'],
  [spec({ type: 'substrate_call', success: 'some' }), 'triggerSpec.success'],
  [spec({ type: 'substrate_block', every: 0 }), 'triggerSpec.every'],
  [spec({ type: 'substrate_block', every: 100_001 }), 'triggerSpec.every'],
  [spec({ type: 'solana_event', programId: 'short' }), 'triggerSpec.programId'],
  [spec({ type: 'solana_event', idl: {} }), 'triggerSpec.idl'],
  [spec({ type: 'solana_instruction', programId: 'short' }), 'triggerSpec.programId'],
  [spec({ type: 'solana_instruction', instruction: 'no name' }), 'triggerSpec.instruction'],
  [spec({ type: 'solana_instruction', idl: {} }), 'triggerSpec.idl'],
  [spec({ type: 'solana_instruction', idl: { instructions: [] } }), 'triggerSpec.idl'],
  [spec({ type: 'solana_instruction', idl: { instructions: [] }, instruction: 'buy' }), 'triggerSpec.instruction'],
  [spec({ type: 'solana_instruction', inner: 'yes' }), 'triggerSpec.inner'],
  [{ ...alone, triggerSpec: { type: 'timer', interval: '5s' } }, 'triggerSpec.interval'],
  [{ ...alone, triggerSpec: { type: 'timer', interval: '31d' } }, 'triggerSpec.interval'],
  [{ ...alone, triggerSpec: { type: 'timer', interval: '0 0 30 2 *' } }, 'triggerSpec.interval'],
  [
    { ...alone, triggerSpec: { type: 'timer', interval: '0 9 * * *', timezone: 'Mars/Olympus' } },
    'triggerSpec.timezone',
  ],
  [{ ...alone, triggerSpec: { type: 'timer', interval: '5m', timezone: 'UTC' } }, 'triggerSpec.timezone'],
  [provider({ type: 'http', url: 'ftp://x.io' }), 'providers.0.url'],
  [provider({ type: 'http', url: 'https://x.io/{{nope.x}}' }), 'providers.0.url'],
  [provider({ type: 'http', url: 'https://x.io', headers: { 'a b': '1' } }), 'providers.0.headers.a b'],
  [provider({ type: 'http', url: 'https://x.io', headers: { a: '1\r\nb: 2' } }), 'providers.0.headers.a'],
  [provider({ type: 'http', url: 'https://x.io', id: '1a' }), 'providers.0.id'],
  [provider({ type: 'http', url: 'https://x.io', body: { to: '{{providers.a.x}}' } }), 'providers.0.body.to'],
  [provider({ type: 'graphql', url: 'https://x.io', query: '{ a(id: "{{source.to}}") }' }), 'providers.0.query'],
  [provider({ type: 'evm_read', contract: 'usdc', method: 'f', abiFragment: 'function f()' }), 'providers.0.contract'],
  [provider({ type: 'solana_account', account: 'nope' }), 'providers.0.account'],
  [provider({ type: 'price', feed: 'eth-usd' }), 'providers.0.feed'],
  [provider({ type: 'price', feed: '{{source.address}}', maxAgeMs: 0 }), 'providers.0.maxAgeMs'],
  [provider({ type: 'token_metadata', contract: 'usdc' }), 'providers.0.contract'],
  [provider({ type: 'token_metadata', contract: '' }), 'providers.0.contract'],
  [provider({ type: 'token_metadata', contract: '7', source: 5 }), 'providers.0.source'],
  [
    provider({ type: 'solana_account', account: '', pda: { seeds: [{ type: 'x', value: 1 }] } }),
    'providers.0.pda.seeds.0.type',
  ],
  [provider({ type: 'javascript', source: 'return (' }), 'providers.0.source'],
  [provider({ type: 'javascript', source: '1', outputSchema: { a: 'x' } }), 'providers.0.outputSchema.a'],
  [provider({ type: 'http', url: 'https://x.io', runIf: 'source. >' }), 'providers.0.runIf'],
  [provider({ type: 'http', url: 'https://x.io', runIf: 5 }), 'providers.0.runIf'],
  [provider({ type: 'http', url: 'https://x.io', cache: { ttlMs: 3_600_001 } }), 'providers.0.cache.ttlMs'],
  [provider({ type: 'http', url: 'https://x.io', cache: {} }), 'providers.0.cache.ttlMs'],
  [provider({ type: 'http', url: 'https://x.io', cache: { ttlMs: 5, key: '{{x.y}}' } }), 'providers.0.cache.key'],
  [provider({ type: 'state_window', dedupeBy: 'a', value: 1, keepLast: 1, cache: { ttlMs: 5 } }), 'providers.0.cache'],
  [provider({ ...retried, retry: { ...retry, attempts: 0 } }), 'providers.0.retry.attempts'],
  [provider({ ...retried, retry: { ...retry, attempts: 21 } }), 'providers.0.retry.attempts'],
  [provider({ ...retried, retry: { ...retry, delayMs: 249 } }), 'providers.0.retry.delayMs'],
  [provider({ ...retried, retry: { ...retry, delayMs: 60_001 } }), 'providers.0.retry.delayMs'],
  [provider({ ...retried, retry: { ...retry, backoff: 'random' } }), 'providers.0.retry.backoff'],
  [provider({ ...retried, retry: { ...retry, maxDelayMs: 0 } }), 'providers.0.retry.maxDelayMs'],
  [provider({ ...retried, retry: { ...retry, retryOn: undefined } }), 'providers.0.retry.retryOn'],
  [provider({ ...retried, retry: { ...retry, retryOn: [] } }), 'providers.0.retry.retryOn'],
  [provider({ ...retried, retry: { ...retry, retryOn: ['rain'] } }), 'providers.0.retry.retryOn.0'],
  [provider({ ...retried, retry: { ...retry, until: { equals: 1 } } }), 'providers.0.retry.until.path'],
  [provider({ ...retried, retry: { ...retry, exhausted: 'stop' } }), 'providers.0.retry.exhausted'],
  [
    provider({ ...retried, retry: { ...retry, until: { path: 'a', equals: '{{providers.none.x}}' } } }),
    'providers.0.retry.until.equals',
  ],
  [{ providers: [valid.providers[0], valid.providers[0]] }, 'providers.1.id'],
  [{ transform: { rawSource: 'return {' } }, 'transform.rawSource'],
  [{ activation: 'a b' }, 'activation.source'],
  [{ conditions: { param: 'params.value', op: 'eq', value: 1 } }, 'conditions.param'],
  [{ conditions: { all: [{ param: 'providers.none.x', op: 'eq', value: 1 }] } }, 'conditions.all.0.param'],
  [{ conditions: { not: { param: 'inputs.nobody', op: 'eq', value: 1 } } }, 'conditions.not.param'],
  [{ conditions: { param: 'source.nothing', op: 'eq', value: 1 } }, 'conditions.param'],
  [{ conditions: { param: 'source.address', op: 'eq', value: 'treasury' } }, 'conditions.value'],
  [{ conditions: { param: 'source.data', op: 'eq', value: '{{source.b}}' } }, 'conditions.value'],
  [{ conditions: { param: 'source.data', op: 'in', value: ['{{inputs.nobody}}'] } }, 'conditions.value'],
  [
    { conditions: { param: 'source.data', op: 'gt', value: { amount: '{{inputs.no}}', decimals: 6 } } },
    'conditions.value',
  ],
  [
    { conditions: { param: 'source.args', contains: { param: 'x', op: 'eq', value: '{{x}}' } } },
    'conditions.contains.value',
  ],
  [
    { conditions: { param: 'source.data', op: 'gt', value: { amount: '1', token: '{{providers.none}}' } } },
    'conditions.value.token',
  ],
  [
    {
      ...alone,
      triggerSpec: { type: 'timer', interval: '5m' },
      conditions: { param: 'source.now', op: 'gt', value: { amount: '1', token: '{{inputs.wallet}}' } },
    },
    'conditions.value.token',
  ],
  [{ inputs: { wallet: 'wallet' } }, 'inputs.wallet'],
  [{ filtersSchema: { a: { type: 'x' } } }, 'filtersSchema.a.type'],
  [{ outputSchema: { raw: { a: 'x' } } }, 'outputSchema.raw.a'],
  [{ defaults: { title: '{{#if}}' } }, 'defaults.title'],
])('%j is refused at %s', async (change, path) => expect(await pathsOf(change)).toEqual([path]))

test.each([
  {},
  { method: '0xdeadbeef' },
  { method: 'pay(address,uint256)' },
  { method: 'function pay(address to, uint amount) returns (bool)' },
  { method: 'pay(address to, uint amount)', abiFragment: ['function pay(address,uint256)', 'event Paid()'] },
  { method: 'pay', abiFragment: 'function pay()', success: 'any', internal: true },
])('an evm_call with %j is valid', async (fields) => {
  expect(await pathsOf(spec({ type: 'evm_call', ...fields }))).toEqual([])
})

test('retry belongs to http, graphql and rpc; until alone is enough, and other providers ignore it', async () => {
  const until = { attempts: 1, delayMs: 60_000, backoff: 'linear', until: { path: 'a.b' } }
  const providers = [
    { id: 'a', ...retried, retry: until },
    { id: 'b', type: 'graphql', url: 'https://x.io', query: '{ a }', retry },
    { id: 'c', type: 'rpc', url: 'https://x.io', method: 'm', retry },
    { id: 'd', type: 'rpc', transport: 'source', method: 'eth_call', retry },
    { id: 'e', type: 'javascript', source: '1', retry },
  ]
  const read = await readDefinition({ ...valid, providers }, defaultLimits)
  const kept = read.ok ? read.definition.providers.map((each) => 'retry' in each) : []
  expect(kept).toEqual([true, true, true, true, false])
})

test.each(['Transfer', 'event Transfer'])(
  'an event that is only a name (%s) is refused with a list of alternatives, and each alternative is accepted',
  async (event) => {
    const refused = await readDefinition({ ...valid, ...spec({ type: 'evm_log', event }) }, defaultLimits)
    const message = 'is only a name: give its signature, such as Paid(address,uint256), or an abiFragment that holds it'
    expect(refused).toEqual({ ok: false, issues: [{ path: 'triggerSpec.event', message }] })
    expect(await pathsOf(spec({ type: 'evm_log', event: `${event}(address,address,uint256)` }))).toEqual([])
    expect(await pathsOf(spec({ type: 'evm_log', event, abiFragment }))).toEqual([])
  },
)

test('without a triggerSpec the backend may name the stream, or not', async () => {
  expect(await pathsOf({ triggerSpec: null })).toEqual([])
  expect(await pathsOf({ triggerSpec: null, backend: { type: 'sdk', trigger: 'common.ethereum.events' } })).toEqual([])
})

test.each([
  'number',
  { type: 'object', properties: { usd: 'number' } },
  { usd: 'number', at: { type: 'integer' } },
  { type: { type: 'balance', decimals: 6 }, description: 'what it is worth' },
  { type: 'string', description: 'string' },
])("a provider's result is described by a schema or a map: %j", async (outputSchema) =>
  expect(await pathsOf(provider({ type: 'javascript', source: '1', outputSchema }))).toEqual([]),
)

test('a single provider may refer to any input and any provider', async () => {
  const alone = { id: 'a', type: 'http' as const, url: 'https://x.io/{{inputs.any}}/{{providers.any.x}}' }
  expect(await checkProvider(alone, 'provider')).toEqual([])
  expect((await checkProvider({ ...alone, url: 'nope' }, 'provider'))[0]?.path).toBe('provider.url')
})

test('hostile size and nesting lead to issues, quickly', async () => {
  const deepJson = JSON.parse(`${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`)
  const hostile = [
    { inputs: deepJson },
    { triggerSpec: { ...valid.triggerSpec, testInput: deepJson } },
    { providers: Array(100_000).fill(valid.providers[0]) },
    { activation: '('.repeat(65_536) },
    { activation: `${'!'.repeat(65_000)}1` },
    { defaults: { long: '{{a '.repeat(4_000) } },
    { triggerSpec: { ...valid.triggerSpec, abiFragment: `event X(${'('.repeat(60_000)}` } },
    { triggerSpec: { ...valid.triggerSpec, abiFragment: `event X(${'uint256 a,'.repeat(300)}uint8 b` } },
    { triggerSpec: { ...valid.triggerSpec, abiFragment: ';'.repeat(200_000) } },
    { triggerSpec: { ...valid.triggerSpec, event: `X(${')x'.repeat(100_000)}!` } },
    { triggerSpec: { ...valid.triggerSpec, abiFragment: '{"a":'.repeat(10_000) + '}'.repeat(10_000) } },
    {
      triggerSpec: {
        type: 'solana_event',
        dataSource: 'common.x',
        idl: `{"instructions":${'['.repeat(50_000)}${']'.repeat(50_000)}}`,
      },
    },
    { providers: [{ ...valid.providers[0], url: '{{'.repeat(100_000) }] },
    { tags: Array(100_000).fill('t') },
    { inputs: Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`i${index}`, 'nope'])) },
  ]
  for (const change of hostile) expect((await pathsOf(change)).length).toBeGreaterThan(0)
})

test('no JSON makes reading throw', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.json({ maxDepth: 6 }),
      async (text) => void (await readDefinition(JSON.parse(text), defaultLimits)),
    ),
    { numRuns: propertyRuns(1000) },
  )
})

test('no change of a valid definition makes reading throw', async () => {
  const places = placesIn(valid)
  const strange = fc.oneof(
    fc.jsonValue(),
    fc.string({ unit: 'binary' }),
    fc.constantFrom(
      '{{',
      '{{source.',
      '__proto__',
      'return',
      '0x',
      -1,
      1e300,
      null,
      [],
      {},
      '{"type":"event"}',
      '[{"type":"event","inputs":null}]',
    ),
  )
  const change = fc.tuple(fc.constantFrom(...places), strange)
  const changes = fc.array(change, { minLength: 1, maxLength: 3 })
  await fc.assert(
    fc.asyncProperty(changes, async (list) => {
      const definition = structuredClone(valid)
      for (const [place, value] of list) put(definition, place, structuredClone(value))
      await readDefinition(JSON.parse(JSON.stringify(definition)), defaultLimits)
    }),
    { numRuns: propertyRuns(3000) },
  )
})

function placesIn(value: unknown, at: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [at]
  const inner = Object.entries(value).flatMap(([key, each]) => placesIn(each, [...at, key]))
  return at.length > 0 ? [at, ...inner] : inner
}

function put(target: object, place: string[], value: unknown): void {
  const last = place.at(-1) ?? ''
  const owner = place
    .slice(0, -1)
    .reduce<unknown>((at, key) => (at === null || at === undefined ? at : Reflect.get(Object(at), key)), target)
  if (typeof owner === 'object' && owner !== null) Reflect.set(owner, last, value)
}
