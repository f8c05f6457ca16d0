import type { StatePolicy } from '@tocsin/contract'
import { expect, test } from 'vitest'
import {
  expectAsOracle,
  type KeySeed,
  machine,
  type Oracle,
  type Output,
  passUntil,
  run,
  stepOn,
  values,
} from '../../../../tests/harness/policy-steps.ts'
import { emptyState, type KeyState } from './key-state.ts'

const outflow = { type: 'sum', value: 'v', within: '20s', above: 100 } as const

test('fires when the values of the time add up to more than the bound; one exactly so old still counts', () => {
  expect(run(outflow, values(40, 60))).toEqual([])
  expect(run(outflow, values(40, 60, 1))).toEqual(['fired o20 at 20'])
  expect(run({ ...outflow, within: '19s' }, values(40, 60, 1))).toEqual([])
  expect(run(outflow, values('90071992547409930', '-90071992547409830', '0.000000000000000001'))).toEqual([
    'fired o0 at 0',
    'resolved o0 at 10',
    'fired o20 at 20',
  ])
})

test('resolves by a negative value, or when enough values are too old', () => {
  expect(run(outflow, values(101, -1))).toEqual(['fired o0 at 0', 'resolved o0 at 10'])
  expect(run(outflow, values(60, 60), { until: 20 })).toEqual(['fired o10 at 10'])
  expect(run(outflow, values(60, 60), { until: 21 })).toEqual(['fired o10 at 10', 'resolved o10 at 20'])
  const later: Output = { at: 60, value: 130 }
  expect(run(outflow, [...values(60, 60), later])).toEqual(['fired o10 at 10', 'resolved o10 at 20', 'fired o60 at 60'])
})

test('time alone fires nothing: 110 remain when the negative value leaves, but no output came since', () => {
  expect(run(outflow, values(-50, 60, 50), { until: 300 })).toEqual([])
})

test('values of one time leave the window together', () => {
  const together = [
    { at: 0, value: 50 },
    { at: 0, value: 60 },
    { at: 5, value: 30 },
  ]
  expect(run(outflow, together, { until: 100 })).toEqual(['fired o0 at 0', 'resolved o0 at 20'])
})

test('a late output of an earlier item counts as of the newest one, if it is still in the window', () => {
  expect(
    run(outflow, [
      { at: 30, value: 90 },
      { at: 12, value: 11 },
    ]),
  ).toEqual(['fired o12 at 30'])
  expect(
    run(outflow, [
      { at: 30, value: 90 },
      { at: 9, value: 11 },
    ]),
  ).toEqual([])
})

test('with `repeat` the firing alert is told again with the newest sum', () => {
  const repeating = { ...outflow, within: '1h', repeat: '30s' }
  expect(run(repeating, values(60, 60), { until: 80 })).toEqual(['fired o10 at 10', 'repeated o10 1', 'repeated o10 2'])
})

test('says the sum and how many values it has, when it fires and when it resolves', () => {
  let state = emptyState<KeySeed>()
  const details: unknown[] = []
  for (const [at, value] of [60, '60.5', -30].entries()) {
    const output = { atMs: at * 1000, seenMs: at * 1000, value, mark: null, id: `o${at}`, absenceId: () => '' }
    const seed = () => {
      throw new Error('a sum stores no alerts')
    }
    const step = machine(outflow).step(state, { ...output, seed })
    state = step.state
    for (const event of step.events) if ('details' in event) details.push(event.details)
  }
  expect(details).toEqual([
    { sinceMs: 0, value: '120.5', count: 2 },
    { sinceMs: 0, value: '90.5', count: 3 },
  ])
})

const oracle: Oracle = (happened, end) => {
  const told: string[] = []
  const kept: { at: number; value: number }[] = []
  let firing: number | undefined
  const windowAt = (newest: number) => kept.filter(({ at }) => at >= newest - 20)
  const sumOf = (list: { value: number }[]) => list.reduce((sum, { value }) => sum + value, 0)
  const resolveUntil = (time: number) => {
    const window = windowAt(kept.at(-1)?.at ?? 0)
    const left = window.find((_, at) => sumOf(window.slice(at + 1)) <= 100)
    if (firing === undefined || !left || left.at + 20 >= time) return
    told.push(`resolved o${firing} at ${left.at + 20}`)
    firing = undefined
  }
  for (const { at, value, isUndone } of happened) {
    resolveUntil(at)
    if (isUndone) continue
    kept.push({ at, value })
    const isFiring = sumOf(windowAt(at)) > 100
    if (isFiring === (firing !== undefined)) continue
    told.push(`${isFiring ? 'fired' : 'resolved'} o${isFiring ? at : firing} at ${at}`)
    firing = isFiring ? at : undefined
  }
  resolveUntil(end)
  return told
}

test('tells what a plain computation over all outputs tells, also after reorgs and restarts', () => {
  const policy: StatePolicy = { type: 'sum', value: 'v', within: '20s', above: 100 }
  expectAsOracle(policy, oracle, (step, at) => step.endsWith(` at ${at}`))
})

test('the values of a block are kept as one, and a window of any length keeps about a thousand', () => {
  const policy: StatePolicy = { type: 'sum', value: 'v', within: '1h', above: 10_000_000 }
  let state: KeyState<KeySeed> = emptyState()
  for (let n = 0; n < 300; n++) state = stepOn(policy, state, { at: 5, value: n, block: 'b' }, [])
  expect(state.outputs).toMatchObject([{ value: String((299 * 300) / 2), count: 300 }])
  state = emptyState()
  for (let at = 0; at < 6_000; at++) state = stepOn(policy, state, { at, value: 1 }, [])
  expect(state.outputs.length).toBeLessThan(1_010)
  expect(machine(policy).latest?.(state)).toMatchObject({ count: expect.closeTo(3_600, -1) })
})

test('a policy that fires before a restart resolves after it', () => {
  const told: string[] = []
  let state = emptyState<KeySeed>()
  for (const output of values(60, 60)) state = stepOn(outflow, state, output, told)
  passUntil(outflow, JSON.parse(JSON.stringify(state)), 30, told)
  expect(told).toEqual(['fired o10 at 10', 'resolved o10 at 20'])
})
