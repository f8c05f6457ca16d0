import type { Policy } from '@tocsin/contract'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type KeySeed, passUntil, stepOn } from '../../../../tests/harness/policy-steps.ts'
import { emptyState, type KeyState } from './key-state.ts'
import { openPastPolicy } from './past-policy.ts'

type Past = { at: number; value?: unknown; key?: string; isMet?: boolean }

/** What a policy would have told, as `fired 20` or `resolved 30 of k`, in the order of time. */
function told(policy: Policy, outputs: readonly Past[], end: number, begin = 0) {
  const past = openPastPolicy<number>(policy, begin * 1000)
  const events = outputs.flatMap(({ at, value, key = '', isMet = true }) =>
    past.add({ id: `o${at}`, atMs: at * 1000, key, value, isMet, of: at }),
  )
  return [...events, ...past.end(end * 1000)]
    .sort((a, b) => a.atMs - b.atMs)
    .map(({ state, atMs, key }) => `${state === 'resolved' ? state : 'fired'} ${atMs / 1000}${key && ` of ${key}`}`)
}

const every10 = (...values: unknown[]): Past[] => values.map((value, index) => ({ at: index * 10, value }))

describe('the alerts of a policy over past outputs', () => {
  test('without a policy, and with a filter, each output is one', () => {
    expect(told(null, every10(1, 2), 100)).toEqual(['fired 0', 'fired 10'])
    expect(told({ type: 'filter' }, [{ at: 1, isMet: false }, { at: 2 }], 100)).toEqual(['fired 2'])
  })
  test('a throttle lets one of a period and key pass', () => {
    const policy = { type: 'throttle', per: '20s', key: 'k' } as const
    const outputs = [
      { at: 0, key: 'a' },
      { at: 5, key: 'b' },
      { at: 19, key: 'a' },
      { at: 20, key: 'a' },
      { at: 39, key: 'a' },
    ]
    expect(told(policy, outputs, 100)).toEqual(['fired 0 of a', 'fired 5 of b', 'fired 20 of a'])
  })
  test('a digest is one message at the end of each period', () => {
    const policy = { type: 'digest', every: '30s' } as const
    expect(told(policy, every10(1, 2, 3, 4, 5), 100)).toEqual(['fired 30', 'fired 60'])
    expect(told(policy, every10(1, 2, 3, 4, 5), 59)).toEqual(['fired 30'])
  })
  test('a monitor fires when the condition lasted, also if no later output comes', () => {
    const policy = { type: 'monitor', for: '15s' } as const
    expect(told(policy, [{ at: 0 }, { at: 10, isMet: false }, { at: 20 }], 34)).toEqual([])
    expect(told(policy, [{ at: 0 }, { at: 10, isMet: false }, { at: 20 }], 35)).toEqual(['fired 35'])
  })
  test('a silence counts from the first block, and the end of the range ends none', () => {
    const policy = { type: 'absence', within: '30s' } as const
    expect(told(policy, [{ at: 50 }, { at: 70 }], 99)).toEqual(['fired 30', 'resolved 50'])
    expect(told(policy, [{ at: 50 }, { at: 70 }], 100)).toEqual(['fired 30', 'resolved 50', 'fired 100'])
  })
  test('each key has a state of its own', () => {
    const policy = { type: 'threshold', value: 'v', above: 5, for: '10s', key: 'k' } as const
    const outputs = [
      { at: 0, value: 9, key: 'a' },
      { at: 1, value: 9, key: 'b' },
      { at: 5, value: 1, key: 'b' },
    ]
    expect(told(policy, outputs, 100)).toEqual(['fired 10 of a'])
  })
})

test('an event names what decided, and the output that it shows', () => {
  const past = openPastPolicy<string>({ type: 'threshold', value: 'v', above: 100, for: '15s' }, 0)
  const output = (at: number, value: number) =>
    past.add({ id: `o${at}`, atMs: at * 1000, key: '', value, isMet: true, of: `output at ${at}` })
  expect([output(0, 150), output(10, 170)]).toEqual([[], []])
  expect(output(30, 90)).toMatchObject([
    {
      state: 'firing',
      atMs: 15_000,
      of: 'output at 10',
      policy: { type: 'threshold', value: 170, bound: 100, for: '15s' },
    },
    { state: 'resolved', atMs: 30_000, of: 'output at 30', policy: { value: 90 } },
  ])
})

test('what cannot be decided is said', () => {
  const policy = { type: 'threshold', value: 'a.b', above: 1 } as const
  const past = openPastPolicy<number>(policy, 0)
  past.add({ id: 'o', atMs: 0, key: '', value: 'much', isMet: true, of: 0 })
  expect(past.issue()).toBe('an output has no number at a.b')
  expect(openPastPolicy({ ...policy, above: '{{inputs.none}}' }, 0).issue()).toMatch(/no number/)
})

test('the past is told as the live loop tells it', () => {
  const policies: Policy[] = [
    { type: 'threshold', value: 'v', above: 50 },
    { type: 'threshold', value: 'v', above: 50, until: 40, for: '20s' },
    { type: 'change', value: 'v', by: '20%', within: '30s' },
    { type: 'rate', value: 'v', per: '30s', above: 20 },
    { type: 'count', count: 3, within: '30s' },
    { type: 'absence', within: '25s', key: 'k' },
  ]
  const item = fc.record({ gap: fc.integer({ min: 1, max: 30 }), value: fc.nat(100) })
  fc.assert(
    fc.property(fc.constantFrom(...policies), fc.array(item, { maxLength: 20 }), fc.nat(60), (policy, items, rest) => {
      let at = 0
      const outputs = items.map(({ gap, value }) => {
        at += gap
        return { at, value }
      })
      const live: string[] = []
      let state: KeyState<KeySeed> = emptyState()
      for (const output of outputs)
        state = stepOn(policy, passUntil(policy, state, output.at - 0.001, live), output, live)
      passUntil(policy, state, at + rest, live)
      // A change has no time of its own in the lines of the harness.
      const lines = live.map((line) => line.replace(/ \S+ at /, ' '))
      const past = told(policy, outputs, at + rest)
      expect(policy?.type === 'change' ? past.map(() => 'changed') : past).toEqual(lines)
    }),
  )
})
