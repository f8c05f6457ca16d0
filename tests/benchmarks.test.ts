import { existsSync, readFileSync } from 'node:fs'
import { expect, test, vi } from 'vitest'
import { listBenches } from '../bench/support/benches.ts'
import { drawCurve } from '../bench/support/curve-picture.ts'
import { stolenShare } from '../bench/support/machine.ts'
import { compareTimes } from '../bench/support/rank-test.ts'
import { printPoint, printRow, type Row, readPoints, readRows } from '../bench/support/row.ts'
import { printTable, readTable, type TableRow, writeTable } from '../bench/support/table.ts'

const documentOf = (...lines: string[]) =>
  ['# Benchmarks', '<!-- table of npm run bench -- all -->', ...lines, '<!-- end of the table -->', 'Notes.'].join('\n')

const row = (command: string, seen: string): TableRow => ({
  ...{ what: 'requests', wanted: '≤ 2 ×', seen, ok: true },
  ...{ command, moment: '2026-11-16, load 0.1' },
})

function printed(print: () => void): string {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {})
  print()
  const lines = log.mock.calls.map(([line]) => String(line))
  log.mockRestore()
  return lines.join('\n')
}

test('rows and points are read from the output of a benchmark as it printed them', () => {
  const rows: Row[] = [
    { what: 'one event → 100 | webhooks', wanted: '≤ 5 ×', seen: '4.2 ×', ok: true },
    { what: 'memory', part: 'idle', wanted: '–', seen: '120 MB' },
  ]
  const point = { curve: 'fan-out', series: 'service', n: 10_000, value: 4.25, unit: 's' }
  const output = printed(() => {
    console.log('some other line | with a bar')
    for (const each of rows) printRow({ ...each, details: 'more | for people' })
    printPoint(point)
  })
  expect(readRows(output)).toEqual([{ ...rows[0], what: 'one event → 100 / webhooks' }, rows[1]])
  expect(readPoints(output)).toEqual([point])
})

test('writing the table replaces the rows of the benchmarks that ran and keeps all others, in one order', () => {
  const [curves, order] = [['curve-fan-out.svg'], ['c', 'a', 'b']]
  const rows = [row('`a`', '1 ×'), row('`b`', '2 ×')]
  const first = writeTable(documentOf(), { machine: 'a machine', rows, curves, order })
  const rowsAgain = [row('`a 10`', '1.5 ×'), row('`c`', '3 ×')]
  const second = writeTable(first, { machine: 'another machine', rows: rowsAgain, curves, order })
  const lines = second.split('\n')
  expect(lines.filter((line) => line.includes('≤ 2 ×')).map((line) => line.split(' | ').slice(1, 4))).toEqual([
    ['`c`', '≤ 2 ×', '3 ×'],
    ['`a 10`', '≤ 2 ×', '1.5 ×'],
    ['`b`', '≤ 2 ×', '2 ×'],
  ])
  expect(lines).toContain('Machine: another machine.')
  expect(lines.filter((line) => line.startsWith('!['))).toEqual(['![curve-fan-out](pictures/curve-fan-out.svg)'])
  expect([lines[0], lines.at(-1)]).toEqual(['# Benchmarks', 'Notes.'])
  expect(readTable(second)).toMatch(/^Machine: another machine\.[\s\S]*curve-fan-out\.svg\)$/)
})

test('rows that measure the same for several parts are one line, which is met if each of them is', () => {
  const parts = [
    { ...row('`a`', '1 ×'), part: '10' },
    { ...row('`a`', '3 ×'), part: '100', ok: false },
  ]
  expect(printTable(parts).split('\n').at(-1)).toBe(
    '| requests: 10; 100 | `a` | ≤ 2 × | 1 ×; 3 × | **no** | 2026-11-16, load 0.1 |',
  )
  const [first] = parts.map((each) => ({ ...each, wanted: '–', ok: undefined }))
  expect(printTable(first ? [first] : [])).toContain('| requests: 10 | `a` | – | 1 × | – |')
})

test('CPU time that the host gave to others is told as a share of what was wanted', () => {
  const before = 'cpu  100 0 50 1000 10 0 0 20 0 0\ncpu0 1 2 3'
  expect(stolenShare(before, 'cpu  150 5 60 9000 90 3 2 50 0 0\ncpu0 1 2 3')).toBe(0.3)
  expect(stolenShare(before, before)).toBe(0)
  expect(stolenShare('', '')).toBe(0)
})

test('every row of the table in docs/benchmarks.md names a benchmark that exists', () => {
  const lines = readTable(readFileSync('docs/benchmarks.md', 'utf8')).split('\n')
  const named = lines.flatMap((line) => /^\| (?!what )[^|]+ \| `([\w-]+)(?: [^`]*)?` \|/.exec(line)?.[1] ?? [])
  expect(named.length).toBeGreaterThan(10)
  expect(named.filter((name) => !existsSync(`bench/${name}.ts`))).toEqual([])
})

test('every benchmark runs in `all`, which is none itself', () => {
  const names = listBenches(true).map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(['lists', 'match', 'throughput']))
  expect(names).not.toContain('all')
})

test('work that grows in proportion to n is a straight line in the picture of its curve', () => {
  const counts = [10, 100, 1_000, 10_000]
  const points = counts.map((n) => ({ curve: 'fan-out', series: 'a < b', n, value: n / 1_000, unit: 's' }))
  const picture = drawCurve('fan-out', points)
  const dots = [...picture.matchAll(/cx="(\d+)" cy="(\d+)" r="4"/g)].map(([, x, y]) => [Number(x), Number(y)] as const)
  const steps = dots.slice(1).map(([x, y], at) => ((dots[at]?.[1] ?? 0) - y) / (x - (dots[at]?.[0] ?? 0)))
  expect(steps).toHaveLength(3)
  for (const step of steps) expect(step).toBeCloseTo(steps[0] ?? 0, 1)
  expect(picture).toContain('a &lt; b')
  expect(picture).toContain('10,000')
})

test('the rank test tells two lots of times apart, and finds no difference between equal ones', () => {
  const even = Array.from({ length: 100 }, (_, at) => at * 2)
  const odd = even.map((time) => time + 1)
  expect(compareTimes(even, even)).toEqual({ sigmas: 0, share: 0.5 })
  expect(Math.abs(compareTimes(even, odd).sigmas)).toBeLessThan(1)
  expect(
    compareTimes(
      even.map((time) => time + 60),
      even,
    ).sigmas,
  ).toBeGreaterThan(3)
})
