import type { Policy, StatePolicy } from '@tocsin/contract'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  expectAsOracle,
  type Happened,
  type KeySeed,
  machine,
  type Oracle,
  type Output,
  run,
  stepOn,
  values,
} from '../../../../tests/harness/policy-steps.ts'
import { emptyState, settleBlocks } from './key-state.ts'

describe('threshold', () => {
  const above = { type: 'threshold', value: 'v', above: 100 } as const
  test('fires once when the value is above the bound, and resolves when it is not', () => {
    expect(run(above, values(99, 100, 101, 500, '100.5', 100, 90, 101))).toEqual([
      'fired o20 at 20',
      'resolved o20 at 50',
      'fired o70 at 70',
    ])
  })
  test('compares exactly beyond 2^53', () => {
    const bound = '9007199254740993'
    expect(run({ ...above, above: bound }, values('9007199254740993', '9007199254740994'))).toEqual(['fired o10 at 10'])
  })
  test('resolves behind `until` only', () => {
    const below = { type: 'threshold', value: 'v', below: '10', until: 12 } as const
    expect(run(below, values(9, 10, 11.9, 12, 8))).toEqual(['fired o0 at 0', 'resolved o0 at 30', 'fired o40 at 40'])
  })
  test('with `for` fires when the value stayed beyond, by an output or by the clock', () => {
    const lasting = { ...above, for: '15s' }
    expect(run(lasting, values(101, 102, 103, 99))).toEqual(['fired o20 at 20', 'resolved o20 at 30'])
    expect(run(lasting, values(101, 99, 102, 99))).toEqual([])
    expect(run(lasting, values(101), { until: 14 })).toEqual([])
    expect(run(lasting, values(101), { until: 15 })).toEqual(['fired o0 at 15'])
    const late = [
      { at: 0, value: 101 },
      { at: 60, value: 99 },
    ]
    expect(run(lasting, late)).toEqual(['fired o0 at 15', 'resolved o0 at 60'])
  })
  test('a late output of an earlier item changes nothing', () => {
    const [fires, early, ends, late] = [
      { at: 10, value: 101 },
      { at: 5, value: 1 },
      { at: 20, value: 1 },
      { at: 15, value: 101 },
    ]
    expect(run(above, [fires, early, ends, late])).toEqual(['fired o10 at 10', 'resolved o10 at 20'])
  })
  test('an output without a number changes nothing and is reported', () => {
    expect(run(above, values(101, null, 'x', undefined, 101))).toEqual([
      'fired o0 at 0',
      ...Array(3).fill('unreadable'),
    ])
  })
  test('with `repeat` the firing alert is told again while it lasts', () => {
    const repeating = { ...above, repeat: '30s' }
    expect(run(repeating, values(101), { until: 95 })).toEqual([
      ...['fired o0 at 0', 'repeated o0 1', 'repeated o0 2', 'repeated o0 3'],
    ])
    expect(run(repeating, values(101, 99), { until: 95 })).toEqual(['fired o0 at 0', 'resolved o0 at 10'])
  })
})

describe('count', () => {
  const count = { type: 'count', count: 3, within: '20s' } as const
  const at = (...times: number[]): Output[] => times.map((time) => ({ at: time }))
  test('fires when so many outputs lie within the time, and not again while outputs come', () => {
    expect(run(count, at(0, 15, 30, 35, 36, 37, 38))).toEqual(['fired o35 at 35'])
    expect(run(count, at(0, 10, 20))).toEqual(['fired o20 at 20'])
    expect(run(count, at(0, 10, 21))).toEqual([])
  })
  test('resolves when none came for the time, by the clock or as a later output shows; counting starts anew', () => {
    expect(run(count, at(0, 1, 2), { until: 21 })).toEqual(['fired o2 at 2'])
    expect(run(count, at(0, 1, 2), { until: 22 })).toEqual(['fired o2 at 2', 'resolved o2 at 22'])
    expect(run(count, at(0, 1, 2, 22, 50, 51, 52))).toEqual(['fired o2 at 2', 'resolved o2 at 42', 'fired o52 at 52'])
  })
})

describe('absence', () => {
  const absence = { type: 'absence', within: '20s' } as const
  test('fires when nothing came after the last output, and resolves with the next', () => {
    expect(run(absence, [{ at: 5 }], { until: 24 })).toEqual([])
    expect(run(absence, [{ at: 5 }], { until: 25 })).toEqual(['fired a5 at 25'])
    expect(run(absence, [{ at: 5 }, { at: 25 }, { at: 60 }])).toEqual(['fired a25 at 45', 'resolved a25 at 60'])
    expect(run(absence, [{ at: 25 }, { at: 5 }], { until: 45 })).toEqual(['fired a25 at 45'])
  })
})

describe('change', () => {
  const change = { type: 'change', value: 'v', by: '10%' } as const
  test('compares with the previous value, in every direction or in one', () => {
    expect(run(change, values(100, 109, 120, 108))).toEqual(['changed', 'changed'])
    expect(run({ ...change, direction: 'up' }, values(100, 110, 99))).toEqual(['changed'])
    expect(run({ ...change, direction: 'down' }, values(100, 110, 99))).toEqual(['changed'])
    expect(run({ ...change, by: 5 }, values(100, 104, 109, 104))).toEqual(['changed', 'changed'])
    expect(run(change, values(0, 0, '0.000001'))).toEqual(['changed'])
  })
  test('compares with the lowest and the highest value within the time', () => {
    expect(run({ ...change, within: '30s' }, values(100, 104, 108, 111))).toEqual(['changed'])
    expect(run({ ...change, within: '20s' }, values(100, 104, 108, 111))).toEqual([])
    expect(run({ ...change, by: '25%', direction: 'down', within: '1h' }, values(1000, 1500, 1100))).toEqual([
      'changed',
    ])
  })
  test('a move is told once, and the value that fired is the new start', () => {
    expect(run({ ...change, within: '1h' }, values(100, 89, 88, 89, 90, 100, 101))).toEqual(['changed', 'changed'])
    expect(run({ ...change, direction: 'down', within: '1h' }, values(100, 80, 79, 100, 71))).toEqual([
      'changed',
      'changed',
    ])
  })
  test('says what it compared with and by how much the value changed', () => {
    const policy: Policy = { ...change, by: '25%', within: '1h' }
    let state = emptyState<KeySeed>()
    const details: unknown[] = []
    for (const [at, value] of [1000, 1500, '1099.5'].entries()) {
      const output = { atMs: at * 1000, seenMs: at * 1000, value, mark: null, id: `o${at}` }
      const step = machine(policy).step(state, { ...output, seed: () => ({ id: '' }), absenceId: () => '' })
      state = step.state
      for (const event of step.events) if (event.kind === 'changed') details.push(event.details)
    }
    expect(details).toEqual([
      { sinceMs: 0, value: 1500, previous: '1000', changePercent: 50 },
      { sinceMs: 1000, value: '1099.5', previous: '1500', changePercent: -26.7 },
    ])
  })
})

type Tested = Extract<StatePolicy, { type: 'threshold' | 'count' | 'absence' | 'change' }>

/**
 * What must be told in the end, by plain loops over all outputs. An output whose block is undone counts for nothing but the
 * time that it shows: nothing else came until then.
 */
const oracles: Record<Tested['type'], Oracle> = {
  threshold(happened, end) {
    const told: string[] = []
    let [since, firing]: [number?, number?] = []
    for (const { at, value, isUndone } of happened) {
      const isBeyond = value > 60
      const isOver = firing === undefined && since !== undefined && at - since >= 15
      if (isOver && !isBeyond) {
        told.push(`fired o${since} at ${(since ?? 0) + 15}`)
        firing = since
      }
      if (isUndone) continue
      if (firing !== undefined && value <= 40) {
        told.push(`resolved o${firing} at ${at}`)
        firing = since = undefined
      } else if (firing === undefined) {
        if (isOver) told.push(`fired o${at} at ${at}`)
        if (isOver) firing = at
        since = isBeyond ? (since ?? at) : undefined
      }
    }
    const isOver = firing === undefined && since !== undefined && end - since >= 15
    return isOver ? [...told, `fired o${since} at ${(since ?? 0) + 15}`] : told
  },
  count(happened, end) {
    const told: string[] = []
    let [counted, last]: [number[], number] = [[], 0]
    let firing: number | undefined
    const resolveIfOver = (now: number, least: number) => {
      if (firing === undefined || now - last < least) return
      told.push(`resolved o${firing} at ${last + 20}`)
      firing = undefined
    }
    for (const { at, isUndone } of happened) {
      resolveIfOver(at, 20.5)
      if (isUndone) continue
      last = at
      if (firing !== undefined) continue
      counted = [...counted, at].filter((time) => at - time <= 20)
      if (counted.length < 3) continue
      told.push(`fired o${at} at ${at}`)
      firing = at
      counted = []
    }
    resolveIfOver(end, 20)
    return told
  },
  absence(happened, end) {
    const told: string[] = []
    let [last, firing]: [number?, number?] = []
    for (const { at, isUndone } of happened) {
      if (last !== undefined && firing === undefined && at - last > 20) {
        told.push(`fired a${last} at ${last + 20}`)
        firing = last
      }
      if (isUndone) continue
      if (firing !== undefined) told.push(`resolved a${firing} at ${at}`)
      firing = undefined
      last = at
    }
    return last !== undefined && firing === undefined && end - last >= 20
      ? [...told, `fired a${last} at ${last + 20}`]
      : told
  },
  change(happened) {
    const kept = happened.filter(({ isUndone }) => !isUndone)
    let start = 0
    const isChange = ({ at, value }: Happened, index: number) => {
      const compared = kept.slice(start, index).filter((earlier) => at - earlier.at <= 20)
      const isLarge = compared.some((earlier) => Math.abs(value - earlier.value) >= 30)
      if (isLarge) start = index
      return isLarge
    }
    return kept.filter(isChange).map(() => 'changed')
  },
}

/** The block that shows that a count is over is undone, and no output before it is in the window any longer. */
const resolvedByAnUndoneBlock: [{ gap: number; value: number; isUndone: boolean }[], number] = [
  [1, 1, 1, 21, 1, 1, 1].map((gap) => ({ gap, value: 0, isUndone: gap === 21 })),
  0,
]

test.each<Tested>([
  { type: 'threshold', value: 'v', above: 60, until: 40, for: '15s' },
  { type: 'count', count: 3, within: '20s' },
  { type: 'absence', within: '20s' },
  { type: 'change', value: 'v', by: 30, within: '20s' },
])('$type tells what a plain computation over all outputs tells, also after reorgs and restarts', (policy) => {
  const isOfBlock = (step: string, at: number) => isCausedByOutput(policy.type, step, at)
  expectAsOracle(policy, oracles[policy.type], isOfBlock, [resolvedByAnUndoneBlock])
})

function isCausedByOutput(type: StatePolicy['type'], step: string, at: number): boolean {
  return step === 'changed' || step.startsWith(`fired o${at} `) || (step.startsWith('resolved') && type !== 'count')
}

/** A block with so many outputs, or a reorg of so many blocks. */
const operation = fc.oneof(
  fc.record({ outputs: fc.nat(3), undone: fc.constant(0) }),
  fc.record({ outputs: fc.constant(0), undone: fc.integer({ min: 1, max: 3 }) }),
)

test('count: whichever blocks a reorg replaces, the alert is that of the fifth output on the chain', () => {
  const policy: StatePolicy = { type: 'count', count: 5, within: '1h' }
  const property = fc.property(fc.array(operation, { maxLength: 30 }), (operations) => {
    let state = emptyState<KeySeed>()
    let [made, finalCount] = [0, 0]
    let told: { block: string; line: string }[] = []
    const chain: { block: string; outputs: number[] }[] = []
    for (const { outputs, undone } of operations) {
      const gone = new Set(chain.splice(Math.max(finalCount, chain.length - undone)).map(({ block }) => block))
      told = told.filter(({ block }) => !gone.has(block))
      finalCount = Math.max(finalCount, chain.length - 4)
      const final = new Set(chain.slice(0, finalCount).map(({ block }) => block))
      state = settleBlocks(
        state,
        ({ hash }) => gone.has(hash),
        ({ hash }) => final.has(hash),
      )
      if (outputs === 0) continue
      const block = { block: `b${made}`, outputs: Array.from({ length: outputs }, () => ++made) }
      chain.push(block)
      for (const at of block.outputs) {
        const lines: string[] = []
        state = stepOn(policy, state, { at, block: block.block }, lines)
        told.push(...lines.map((line) => ({ block: block.block, line })))
      }
    }
    const fifth = chain.flatMap((block) => block.outputs)[4]
    expect(told.map(({ line }) => line)).toEqual(fifth === undefined ? [] : [`fired o${fifth} at ${fifth}`])
  })
  fc.assert(property, { numRuns: 500 })
})

test('a block that became final is not undone any more, and the state gets small again', () => {
  const policy: StatePolicy = { type: 'threshold', value: 'v', above: 60 }
  let state = emptyState<KeySeed>()
  for (const [index, value] of [70, 50, 70].entries())
    state = stepOn(policy, state, { at: index, value, block: `b${index}` }, [])
  expect(state.past).toHaveLength(3)
  const settled = settleBlocks(
    state,
    () => false,
    ({ hash }) => hash !== 'b2',
  )
  expect(settled).toMatchObject({ now: { phase: 'firing' }, past: [{ mark: { hash: 'b2' } }] })
  expect(
    settleBlocks(
      settled,
      ({ hash }) => hash === 'b2',
      () => false,
    ).now,
  ).toMatchObject({ phase: 'quiet' })
})
