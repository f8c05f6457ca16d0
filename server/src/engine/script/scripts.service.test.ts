import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ScriptContext, type ScriptKind, type Scripts, startScripts } from './index.ts'

const nowMs = Date.UTC(2026, 0, 2, 3, 4, 5)
const item = { value: '1500000000000000000', from: '0xAbCdEf0123456789', list: [{ n: 1 }] }

let scripts: Scripts
beforeAll(() => {
  scripts = startScripts({ children: 1 })
})
afterAll(() => scripts.close())

async function call(source: string, context: Partial<ScriptContext> = {}, kind: ScriptKind = 'raw') {
  const [result] = await scripts.run({ kind, source }, [{ source: item, ...context }], { nowMs, cpuMsMax: 200 })
  return result
}
const valueGiven = async (source: string, context?: Partial<ScriptContext>, kind?: ScriptKind) => {
  const result = await call(source, context, kind)
  return result?.ok ? result.value : result
}

test.each([
  ['source.list[0].n + 1', 2],
  ['source.list[0].n + 1;  // why', 2],
  ['(source.list[0].n)', 1],
  ['({ a: source.list })', { a: [{ n: 1 }] }],
  ['{ a: 1, b: input.list.length }', { a: 1, b: 1 }],
  ['return source.list.length', 1],
  ['const raw = 1\nconst source = raw + 1\nif (source) return { source }\nreturn null', { source: 2 }],
  ['const { list } = source; return list', [{ n: 1 }]],
  ['"use strict"; return this === undefined', true],
  ['(context) => context.source.list[0].n', 1],
  ['((context) => context.input.list[0].n)', 1],
  ['({ source, inputs }) => [source.list.length, inputs]', [1, {}]],
  ['({ source: mine }) => mine === source', true],
  [
    'function (context) { return Object.keys(context).sort() }',
    ['console', 'helpers', 'input', 'inputs', 'providers', 'source'],
  ],
  ['function transform({ source }) {\n  return source.value\n}', '1500000000000000000'],
  ['async ({ source }) => { await null; return source.list.length }', 1],
  ['return Promise.all([1, Promise.resolve(2)])', [1, 2]],
  ['new Promise((done) => queueMicrotask(() => done(7)))', 7],
  ['return { then(done) { done(8) } }', 8],
  ['undefined', null],
  ['null', null],
  ['const a = 1', null],
  ['"text"', 'text'],
  ['[NaN, Infinity, undefined, () => 1]', [null, null, null, null]],
  ['new Date(0)', '1970-01-01T00:00:00.000Z'],
  ['new Map([[1, 2]])', {}],
  ['"\\ud83d\\ude00 \\u0000 ü"', '😀 \0 ü'],
])('the script %j returns its value', async (source, value) => expect(await valueGiven(source)).toEqual(value))

test('a script sees the context of its kind, by both names', async () => {
  const given = { inputs: { least: 2 }, providers: { price: { usd: 3 } }, raw: { a: 4 }, variables: { b: 5 } }
  expect(await valueGiven('[inputs.least, providers.price.usd, raw.a, output.a]', given, 'human')).toEqual([2, 3, 4, 4])
  expect(await valueGiven('({ raw, output }) => [raw, output]', given, 'human')).toEqual([{ a: 4 }, { a: 4 }])
  expect(await valueGiven('variables.b', given, 'provider')).toBe(5)
  expect(await valueGiven('[typeof raw, typeof output, typeof variables]', given, 'raw')).toEqual(
    Array(3).fill('undefined'),
  )
})

test('integers of any size come back as decimal strings', async () => {
  expect(await valueGiven('BigInt(source.value) * 10n ** 30n')).toBe(`15${'0'.repeat(47)}`)
  expect(await valueGiven('({ a: 1n, b: [-2n] })')).toEqual({ a: '1', b: ['-2'] })
})

test.each([
  ['helpers.formatUnits(source.value)', '1.5'],
  ['helpers.formatUnits(1234567n, 6)', '1.234567'],
  ['helpers.formatUnits("-1", 2)', '-0.01'],
  ['helpers.formatUnits("0x10", 0)', '16'],
  ['helpers.formatUnits("0", 18)', '0'],
  ['helpers.formatUnits("1000000000000", 12)', '1'],
  ['helpers.formatUnits("-1230000000000000000", 18)', '-1.23'],
  ['helpers.formatUnits("1000000", 0)', '1000000'],
  ['helpers.formatUnits(1n, 8)', '0.00000001'],
  [
    'helpers.formatUnits("115792089237316195423570985008687907853269984665640564039457584007913129639935", 77)',
    '1.15792089237316195423570985008687907853269984665640564039457584007913129639935',
  ],
  ['helpers.parseUnits("1.5")', '1500000000000000000'],
  ['helpers.parseUnits("-0.0000005", 6)', '-1'],
  ['helpers.parseUnits(0.1, 3)', '100'],
  ['helpers.parseUnits(1e21, 0)', '1000000000000000000000'],
  ['helpers.parseUnits("2.5e-3", 4)', '25'],
  ['helpers.toBigInt("  42 ")', '42'],
  ['helpers.toBigInt("0xff") + helpers.toBigInt(1) + helpers.toBigInt(2n)', '258'],
  ['helpers.shorten(source.from)', '0xAbCd…6789'],
  ['helpers.shorten("short")', 'short'],
  ['helpers.shorten("abcdefghijkl", 2, 0)', 'ab…'],
  ['helpers.get(source, "list[0].n")', 1],
  ['helpers.get(source, "list.0.n")', 1],
  ['helpers.get(source, ["list", 0, "n"])', 1],
  ['helpers.get(source, "list.4.n", "none")', 'none'],
  ['helpers.get(source, "constructor.name")', null],
  ['helpers.lower(source.from) + helpers.upper("x") + helpers.lower(null)', '0xabcdef0123456789X'],
  ['helpers.x = 1; return [helpers.x, Object.isFrozen(helpers), Object.isFrozen(helpers.get)]', [null, true, true]],
  ['({ helpers: { upper } }) => upper("a")', 'A'],
])('%s', async (source, value) => expect(await valueGiven(source)).toEqual(value))

const network = {
  explorer: [
    { pattern: '^\\d+$', before: 'https://scan.org/block/', after: '' },
    { pattern: '^0x[0-9a-f]{64}$', before: 'https://scan.org/tx/', after: '?c=1' },
  ],
  native: { symbol: 'ETH', decimals: 18 },
  token: { symbol: 'USDC', decimals: 6 },
}
const hash = `0x${'AB'.repeat(32)}`
test.each([
  ['helpers.number(1234567.891, 2)', '1,234,567.89'],
  [
    '[helpers.number("999"), helpers.number(-1000n), helpers.number("x"), helpers.number(1e21)]',
    ['999', '-1,000', 'x', '1,000,000,000,000,000,000,000'],
  ],
  ['[helpers.usd(1234.5), helpers.usd("-0.125"), helpers.usd(0)]', ['$1,234.50', '-$0.13', '$0.00']],
  ['[helpers.usd("0.00001234"), helpers.usd("0.01"), helpers.usd(null)]', ['$0.000012', '$0.01', null]],
  ['helpers.token("1250500000")', '1,250.5 USDC'],
  ['helpers.token(10n ** 18n, "native")', '1 ETH'],
  ['helpers.token("150", { symbol: null, decimals: 2 })', '1.5'],
  ['[helpers.token("5", "0xabc"), helpers.token("x")]', ['5', 'x']],
  ['[helpers.tokenUnits("1250500000"), helpers.tokenUnits("5", 18)]', ['1250.5', '0.000005']],
  [`helpers.explorer("${hash}")`, `https://scan.org/tx/${hash}?c=1`],
  ['[helpers.explorer({ number: 5 }), helpers.explorer("no")]', ['https://scan.org/block/5', null]],
  ['({ network }) => [network === undefined, helpers.number(1)]', [true, '1']],
  ['[helpers.usd(1), helpers.encodeFunction("function f()")]', ['$1.00', '0x26121ff0']],
])('with the network of the item, %s', async (source, value) =>
  expect(await valueGiven(source, { source: {}, network })).toEqual(value),
)

test('without a network there are no links, and amounts stay as they are on the chain', async () => {
  const source = '[helpers.explorer(5), helpers.token("5"), helpers.token("5", "native"), helpers.usd(1)]'
  expect(await valueGiven(source)).toEqual([null, '5', '5', '$1.00'])
  expect(await valueGiven('[helpers.tokenUnits("5"), helpers.tokenUnits("50", 1)]')).toEqual([null, '5'])
})

test.each([
  ['helpers.toBigInt("1.5")', 'TypeError: toBigInt needs an integer, and got 1.5'],
  ['helpers.toBigInt("  ")', 'TypeError: toBigInt needs an integer, and got   '],
  ['helpers.toBigInt(null)', 'TypeError: toBigInt needs an integer, and got an object'],
  ['helpers.parseUnits("one")', 'TypeError: parseUnits needs a decimal number, and got one'],
  ['helpers.formatUnits(1n, 1000)', 'RangeError: decimals must be an integer from 0 to 255, and is 1000'],
])('%s fails with a clear message', async (source, message) =>
  expect(await call(source)).toMatchObject({ ok: false, kind: 'throw', message }),
)

test.each([
  ['source.a.b', 'throw', /TypeError: cannot read propert.*'b'/i, 1],
  ['const a = 1\n\n  return nope', 'throw', 'ReferenceError: nope is not defined', 3],
  ['() => {\n  throw new RangeError("no")\n}', 'throw', 'RangeError: no', 2],
  ['async () => {\n  await null\n  throw new Error("late")\n}', 'throw', 'late', 3],
  ['const check = (x) => {\n  throw new Error(x)\n}\nreturn check("deep")', 'throw', 'deep', 2],
  ['const a = "x"\nreturn helpers.toBigInt(a)', 'throw', 'toBigInt needs an integer', 2],
  ['const a = 1\nreturn a +', 'syntax', 'Unexpected token', 2],
  ['return /[/', 'syntax', 'Unterminated regular expression', 1],
  ['import("fs")', 'syntax', 'import is not available', 1],
])('the error in %j is reported with its line', async (source, kind, message, line) => {
  const result = await call(source)
  expect(result).toMatchObject({ ok: false, kind, line, column: expect.any(Number) })
  expect(result?.ok === false && result.message).toMatch(message)
})

test.each([
  ['throw { code: 5 }', 'throw', '{"code":5}'],
  ['throw "text"', 'throw', 'text'],
  ['throw null', 'throw', 'null'],
  ['() => () => 1', 'not_json', 'the result is a function, and cannot be JSON'],
  ['Symbol("s")', 'not_json', 'the result is a symbol, and cannot be JSON'],
  ['const a = {}; a.a = a; return a', 'not_json', 'the result refers to itself, and cannot be JSON'],
  ['new Promise(() => {})', 'not_json', 'the promise that the script returned never settles'],
])('%s', async (source, kind, message) => expect(await call(source)).toMatchObject({ ok: false, kind, message }))

test('a script’s logs come back with its result or failure', async () => {
  const logging = 'console.log("a", 1, { b: 2n }, [undefined]); console.warn(new Error("w")); console.debug(undefined)'
  const logs = [
    { level: 'log', message: 'a 1 {"b":"2"} [null]' },
    { level: 'warn', message: 'w' },
    { level: 'debug', message: 'undefined' },
  ]
  expect(await call(`${logging}; return 1`)).toEqual({ ok: true, value: 1, logs })
  expect(await call(`${logging}; throw new Error("x")`)).toMatchObject({ ok: false, logs })
  expect(await call(`async () => { ${logging}; for (;;) await null }`)).toMatchObject({ kind: 'timeout', logs })
})

test('the clock shows the item’s time, constant and in UTC', async () => {
  const read =
    '[Date.now(), new Date().toISOString(), new Date().getTimezoneOffset(), new Date(2026, 0).getTime(), typeof performance]'
  const value = [nowMs, '2026-01-02T03:04:05.000Z', 0, Date.UTC(2026, 0), 'undefined']
  expect(await valueGiven(read)).toEqual(value)
})

test('texts do not depend on the machine’s language or time zone', async () => {
  const date = 'new Date(1767323045000)'
  const texts = [
    `${date}.toLocaleString()`,
    `${date}.toLocaleDateString()`,
    `${date}.toLocaleTimeString()`,
    `${date}.toString()`,
    '(1234567.5).toLocaleString()',
    '123456789n.toLocaleString()',
    '"a".localeCompare("B")',
    '"I".toLocaleLowerCase()',
    'new Date(NaN).toLocaleString()',
    'btoa("hellö") + atob("aGk")',
  ]
  expect(await valueGiven(`[${texts}]`)).toEqual([
    '01/02/2026, 03:04:05 AM',
    '01/02/2026',
    '03:04:05 AM',
    'Fri Jan 02 2026 03:04:05 GMT+0000',
    '1234567.5',
    '123456789',
    1,
    'i',
    'Invalid Date',
    'aGVsbPY=hi',
  ])
})

test('Math.random depends on the item only, in every process', async () => {
  const other = startScripts({ children: 1 })
  const script = { kind: 'raw' as const, source: '[Math.random(), Math.random()]' }
  const clocks = [nowMs, nowMs + 1, nowMs, Number.NaN, -5.5]
  const contexts = clocks.map(() => ({ source: null }))
  const first = await scripts.run(script, contexts, { nowMs: clocks })
  expect(await other.run(script, contexts, { nowMs: clocks })).toEqual(first)
  expect(first[2]).toEqual(first[0])
  expect(first[1]).not.toEqual(first[0])
  await other.close()
})

test('every call starts from fresh state', async () => {
  const source = 'globalThis.n = (globalThis.n ?? 0) + 1; Array.prototype.map = null; Object.prototype.x = 1; return n'
  const results = await scripts.run({ kind: 'raw', source }, Array(20).fill({ source: 1 }), { nowMs })
  expect(results.map((result) => result.ok && result.value)).toEqual(Array(20).fill(1))
  expect(await valueGiven('[typeof n, ({}).x, [1].map((x) => x)]')).toEqual(['undefined', null, [1]])
})

test('items keep their order over many turns, and each has its own clock', async () => {
  const contexts = Array.from({ length: 350 }, (_, index) => ({ source: { index, text: 'x'.repeat(8_000) } }))
  const clocks = contexts.map((_, index) => index * 1000)
  const results = await scripts.run({ kind: 'raw', source: '[source.index, Date.now()]' }, contexts, {
    nowMs: clocks,
  })
  expect(results.map((result) => result.ok && result.value)).toEqual(clocks.map((clock, index) => [index, clock]))
})

test('a run without items has no results', async () => {
  expect(await scripts.run({ kind: 'raw', source: '1' }, [], { nowMs })).toEqual([])
})
