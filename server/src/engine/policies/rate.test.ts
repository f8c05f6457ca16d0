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
import { emptyState, type KeyState, settleBlocks } from './key-state.ts'

const rises = { type: 'rate', value: 'v', per: '20s', above: 10 } as const
const falls = { type: 'rate', value: 'v', per: '20s', below: '-10%' } as const

test('fires when the value rose by more than the bound since the oldest one of the period, which may be exactly so old', () => {
  expect(run(rises, values(100, 105, 110, 111))).toEqual([])
  expect(run(rises, values(100, 105, 111))).toEqual(['fired o20 at 20'])
  expect(run({ ...rises, per: '19s' }, values(100, 105, 111))).toEqual([])
  expect(run(rises, values(100, 80, 60))).toEqual([])
})

test('a percentage is of the size of the oldest value, also from a negative one; each change from zero is more', () => {
  expect(run(falls, values(100, 90, 89))).toEqual(['fired o20 at 20'])
  expect(run(falls, values(-100, -111))).toEqual(['fired o10 at 10'])
  expect(run({ ...rises, above: '10%' }, values(-100, -89))).toEqual(['fired o10 at 10'])
  expect(run(falls, values(0, 0, '-0.001'))).toEqual(['fired o20 at 20'])
  expect(run(rises, values('9007199254740993', '9007199254741003', '9007199254741004'))).toEqual(['fired o20 at 20'])
})

test('resolves by an output, or when the value that it is compared with leaves the period', () => {
  expect(run(rises, values(100, 111, 110))).toEqual(['fired o10 at 10', 'resolved o10 at 20'])
  expect(run(rises, values(100, 111), { until: 20 })).toEqual(['fired o10 at 10'])
  expect(run(rises, values(100, 111), { until: 21 })).toEqual(['fired o10 at 10', 'resolved o10 at 20'])
  const later: Output = { at: 60, value: 130 }
  expect(run(rises, [...values(100, 111), later])).toEqual(['fired o10 at 10', 'resolved o10 at 20'])
})

test('time alone fires nothing: 80 is 30 more than 50, but no output came since 100 is too old', () => {
  expect(run(rises, values(100, 50, 80), { until: 300 })).toEqual([])
})

test('a late output of an earlier item is compared with the newest one', () => {
  const late: Output = { at: 5, value: 100 }
  expect(run(rises, [{ at: 10, value: 111 }, late])).toEqual(['fired o5 at 10'])
})

test('with `repeat` the firing alert is told again while it lasts', () => {
  const repeating = { ...rises, per: '1h', repeat: '30s' }
  expect(run(repeating, values(100, 111), { until: 80 })).toEqual([
    'fired o10 at 10',
    'repeated o10 1',
    'repeated o10 2',
  ])
})

test('says what it compared, when it fires and when it resolves', () => {
  let state = emptyState<KeySeed>()
  const details: unknown[] = []
  for (const [at, value] of [100, '120', 105].entries()) {
    const output = { atMs: at * 1000, seenMs: at * 1000, value, mark: null, id: `o${at}`, absenceId: () => '' }
    const seed = () => {
      throw new Error('a rate stores no alerts')
    }
    const step = machine(rises).step(state, { ...output, seed })
    state = step.state
    for (const event of step.events) if ('details' in event) details.push(event.details)
  }
  expect(details).toEqual([
    { sinceMs: 0, value: '120', previous: '100', changePercent: 20 },
    { sinceMs: 0, value: '105', previous: '100', changePercent: 5 },
  ])
})

const oracle: Oracle = (happened, end) => {
  const told: string[] = []
  const kept: { at: number; value: number }[] = []
  let firing: number | undefined
  const isFar = (from: { value: number } | undefined) => (kept.at(-1)?.value ?? 0) - (from?.value ?? 0) > 30
  const resolveUntil = (time: number) => {
    const window = kept.filter(({ at }) => at >= (kept.at(-1)?.at ?? 0) - 20)
    const left = window[window.findIndex((from) => !isFar(from)) - 1]
    if (firing === undefined || !left || left.at + 20 >= time) return
    told.push(`resolved o${firing} at ${left.at + 20}`)
    firing = undefined
  }
  for (const { at, value, isUndone } of happened) {
    resolveUntil(at)
    if (isUndone) continue
    kept.push({ at, value })
    const isFiring = isFar(kept.find((from) => from.at >= at - 20))
    if (isFiring === (firing !== undefined)) continue
    told.push(`${isFiring ? 'fired' : 'resolved'} o${isFiring ? at : firing} at ${at}`)
    firing = isFiring ? at : undefined
  }
  resolveUntil(end)
  return told
}

test('tells what a plain computation over all outputs tells, also after reorgs and restarts', () => {
  const policy: StatePolicy = { type: 'rate', value: 'v', per: '20s', above: 30 }
  expectAsOracle(policy, oracle, (step, at) => step.endsWith(` at ${at}`))
})

test('a period with any number of values keeps about five hundred, and those that a reorg may still undo', () => {
  let state: KeyState<KeySeed> = emptyState()
  const policy: StatePolicy = { type: 'rate', value: 'v', per: '1h', above: 10_000 }
  for (let at = 0; at < 6_000; at++) state = stepOn(policy, state, { at, value: at }, [])
  expect(state.outputs.length).toBeLessThan(510)
  expect(state.outputs[0]?.atMs).toBeGreaterThanOrEqual(2_399_000)
  expect(state.outputs[0]?.atMs).toBeLessThan(2_410_000)
  for (let at = 6_000; at < 6_300; at++)
    state = stepOn(policy, state, { at, value: at, block: `b${at - (at % 3)}` }, [])
  expect(state.outputs.length).toBeLessThan(710)
  const undone = settleBlocks(
    state,
    ({ hash }) => hash === 'b6297',
    () => false,
  )
  expect(undone.outputs.at(-1)).toMatchObject({ value: '6296' })
})

test('a policy that fires before a restart resolves after it', () => {
  const told: string[] = []
  let state = emptyState<KeySeed>()
  for (const output of values(100, 111)) state = stepOn(rises, state, output, told)
  passUntil(rises, JSON.parse(JSON.stringify(state)), 30, told)
  expect(told).toEqual(['fired o10 at 10', 'resolved o10 at 20'])
})
