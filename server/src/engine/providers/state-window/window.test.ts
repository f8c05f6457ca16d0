import fc from 'fast-check'
import { expect, test } from 'vitest'
import { coerceValue } from './coerce.ts'
import { pushWindow, takeBack, type WindowState } from './window.ts'

const definition = { keepLast: 3, shape: 's', aggregate: ['values', 'avg', 'min', 'max', 'sum'] as const }
const push = (state: WindowState | undefined, key: string, value: unknown, block?: string) =>
  pushWindow(state, { key, value, block }, definition)

function pushAll(values: unknown[]) {
  let state: WindowState | undefined
  let result: ReturnType<typeof push>['result'] | undefined
  for (const [index, value] of values.entries()) ({ state, result } = push(state, `k${index}`, value))
  return { state, result }
}

test('the last values are kept, oldest first', () => {
  expect(pushAll([1]).result).toEqual({
    current: 1,
    previous: null,
    values: [1],
    count: 1,
    duplicate: false,
    full: false,
    avg: 1,
    min: 1,
    max: 1,
    sum: 1,
  })
  expect(pushAll([1, 2, 3, 10]).result).toMatchObject({
    current: 10,
    previous: 3,
    values: [2, 3, 10],
    full: true,
    sum: 15,
    avg: 5,
  })
})

test('a duplicate adds nothing and is reported', () => {
  const { state } = pushAll([1, 2])
  const again = push(state, 'k0', 99)
  expect(again.result).toMatchObject({ current: 2, previous: 1, values: [1, 2], count: 2, duplicate: true })
  expect(again.state).toEqual(state)
})

test('a duplicate is detected within a thousand entries, also after its value was dropped', () => {
  const { state } = pushAll(Array.from({ length: 1000 }, (_, index) => index))
  expect(push(state, 'k0', 0).result.duplicate).toBe(true)
  const later = push(state, 'new', 1).state
  expect(push(later, 'k0', 0).result.duplicate).toBe(false)
  expect(later.entries).toHaveLength(1000)
})

test('another shape starts empty, another keepLast trims', () => {
  const { state } = pushAll([1, 2, 3])
  const entry = { key: 'n', value: 4 }
  expect(pushWindow(state, entry, { ...definition, shape: 'other' }).result.values).toEqual([4])
  expect(pushWindow(state, entry, { ...definition, keepLast: 2 }).result.values).toEqual([3, 4])
})

test('a reorg removes its entries, and older values are shown again', () => {
  let state: WindowState | undefined
  for (const [index, block] of ['a', 'a', 'b', 'c', 'c'].entries()) ({ state } = push(state, `k${index}`, index, block))
  const back = takeBack(state!, 'c')
  expect(push(back, 'k3', 30, 'd').result).toMatchObject({ values: [1, 2, 30], duplicate: false })
})

test('a reorg of many blocks with many entries each leaves the values from before them', () => {
  let state: WindowState | undefined
  const entries = Array.from({ length: 400 }, (_, index) => ({ index, block: `b${Math.floor(index / 10)}` }))
  for (const { index, block } of entries) ({ state } = push(state, `k${index}`, index, block))
  for (let block = 5; block < 40; block++) state = takeBack(state as WindowState, `b${block}`)
  expect(push(state, 'next', 'next', 'c5').result.values).toEqual([48, 49, 'next'])
  const { state: timed } = pushAll(entries.map(({ index }) => index))
  expect(timed?.entries.filter((entry) => 'value' in entry)).toHaveLength(3 + 64)
})

test.each([
  [['9007199254740993', '1'], '9007199254740994', '4503599627370497'],
  [[9007199254740991, 9007199254740991], '18014398509481982', 9007199254740991],
  [[0.1, 0.2], 0.3, 0.15],
  [[1, 2, 2], 5, 1.6666666666666667],
  [['1', '2', '2'], '5', '1.666666666666666667'],
  [['-1', '-2', '-2'], '-5', '-1.666666666666666667'],
  [
    ['0.000000000000000001', '115792089237316195423570985008687907853269984665640564039457584007913129639935'],
    '115792089237316195423570985008687907853269984665640564039457584007913129639935.000000000000000001',
    '57896044618658097711785492504343953926634992332820282019728792003956564819967.5000000000000000005',
  ],
  [['a', 1], null, null],
])('sum and average of %j are exact', (values, sum, avg) => {
  expect(pushAll(values).result).toMatchObject({ sum, avg })
})

test.each<[unknown, Parameters<typeof coerceValue>[1], unknown]>([
  ['12', 'number', 12],
  [' 1.5 ', 'number', 1.5],
  ['0xff', 'number', 255],
  ['123456789012345678901234567890', 'number', '123456789012345678901234567890'],
  ['1.00000000000000000001', 'number', '1.00000000000000000001'],
  [5, 'string', '5'],
  [{ a: 1 }, 'string', '{"a":1}'],
  ['true', 'boolean', true],
  [0, 'boolean', false],
  ['{"a":18446744073709551615}', 'object', { a: '18446744073709551615' }],
  ['[1]', 'array', [1]],
  [null, 'unknown', null],
])('%j as %s is %j', (value, type, coerced) => expect(coerceValue(value, type)).toEqual(coerced))

test.each<[unknown, Parameters<typeof coerceValue>[1]]>([
  ['', 'number'],
  ['abc', 'number'],
  [true, 'number'],
  [null, 'number'],
  ['1e999999999', 'number'],
  ['yes', 'boolean'],
  [null, 'string'],
  [[1], 'object'],
  [{}, 'array'],
  ['x'.repeat(10_000), 'unknown'],
])('%j is not a %s', (value, type) => expect(() => coerceValue(value, type)).toThrow(/value: /))

test('agrees with a plain model on any sequence of integers', () => {
  const entry = fc.record({ key: fc.nat(12).map(String), value: fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n }) })
  fc.assert(
    fc.property(
      fc.array(entry, { minLength: 1, maxLength: 60 }),
      fc.integer({ min: 1, max: 8 }),
      (entries, keepLast) => {
        let state: WindowState | undefined
        const seen = new Set<string>()
        const model: bigint[] = []
        for (const { key, value } of entries) {
          const pushed = pushWindow(state, { key, value: String(value) }, { ...definition, keepLast })
          // The state must survive storage as JSON.
          state = JSON.parse(JSON.stringify(pushed.state))
          const duplicate = seen.has(key)
          if (!duplicate) model.push(value)
          seen.add(key)
          expect(pushed.result).toEqual(expectedOf(model.slice(-keepLast), duplicate, keepLast))
        }
      },
    ),
  )
})

function expectedOf(kept: bigint[], duplicate: boolean, keepLast: number) {
  const sum = kept.reduce((a, b) => a + b, 0n)
  const sorted = [...kept].sort((a, b) => (a < b ? -1 : 1))
  return {
    current: String(kept.at(-1)),
    previous: kept.length > 1 ? String(kept.at(-2)) : null,
    values: kept.map(String),
    count: kept.length,
    duplicate,
    full: kept.length === keepLast,
    sum: String(sum),
    min: String(sorted[0]),
    max: String(sorted.at(-1)),
    avg: expect.toSatisfy((avg: string) => isAverage(avg, sum, BigInt(kept.length))),
  }
}

/** |avg × n − sum| ≤ n × half a unit in the 18th place. */
function isAverage(avg: string, sum: bigint, count: bigint): boolean {
  const [whole = '0', after = ''] = avg.replace('-', '').split('.')
  const digits = BigInt(whole + after.padEnd(18, '0')) * (avg.startsWith('-') ? -1n : 1n)
  const difference = digits * count - sum * 10n ** 18n
  return after.length <= 18 && (difference < 0n ? -difference : difference) * 2n <= count
}
