import { expect, test } from 'vitest'
import type { TurnResult } from './child-process.ts'
import type { Job } from './job.ts'
import type { Outcome } from './protocol.ts'
import { recordTurn } from './record-turn.ts'

const value: Outcome = { kind: 'value', bytes: 1, logs: 0 }
const timeout: Outcome = { kind: 'timeout', message: 'too long', logs: 0 }
const starved: TurnResult = { kind: 'killed', lateness: 'starved' }
const busy: TurnResult = { kind: 'killed', lateness: 'busy' }
const ended: TurnResult = { kind: 'ended', reason: '' }

function answer(...outcomes: Outcome[]): TurnResult {
  return { kind: 'answer', answer: { outcomes, rssBytes: 0 }, body: Buffer.from('1'.repeat(outcomes.length)) }
}

/** A job with so many items, and its results after some turns with all waiting items. */
function play(itemCount: number, turns: readonly TurnResult[], hasStrikes = false) {
  const waiting = Array.from({ length: itemCount }, (_, index) => ({ index, nowMs: 0, context: Buffer.alloc(0) }))
  const job: Job = {
    ...{ script: '', cpuMsMax: 50, waiting, results: [], done: () => undefined },
    ...{ isOneByOne: false, isRetry: false, wasStarved: false },
  }
  const verdicts = turns.map((turn) => recordTurn(job, job.isOneByOne ? 1 : job.waiting.length, turn, hasStrikes))
  const results = Array.from(job.results, (result) => (result.ok ? result.value : result.kind))
  return { results, left: job.waiting.length, verdicts }
}

test('a process that got no CPU time gives no strikes, and its items can be run later', () => {
  expect(play(3, [starved])).toEqual({ results: [], left: 3, verdicts: [{ points: 0 }] })
  expect(play(2, [starved, starved], true)).toEqual({
    results: ['overloaded', 'overloaded'],
    left: 0,
    verdicts: [{ points: 0 }, { points: 0 }],
  })
})

test('an item without CPU time that then takes too long still gets its second attempt', () => {
  expect(play(1, [starved, answer(timeout), answer(value)]).results).toEqual([1])
})

test('an item that took too long runs again, and then its result counts', () => {
  const again = { points: 0, keepsLimits: false }
  expect(play(1, [answer(timeout), answer(value)])).toEqual({
    results: [1],
    left: 0,
    verdicts: [again, { points: 0, keepsLimits: true }],
  })
  expect(play(3, [answer(value, timeout), answer(timeout), answer(value)])).toEqual({
    results: [1, 'timeout', 1],
    left: 0,
    verdicts: [again, { points: 1, keepsLimits: false }, { points: 0, keepsLimits: true }],
  })
})

test('an item whose process died or hung runs once more', () => {
  expect(play(1, [busy, answer(value)]).results).toEqual([1])
  expect(play(1, [busy, busy]).results).toEqual(['timeout'])
  expect(play(1, [ended, ended]).results).toEqual(['crash'])
})

test('a script with strikes gets no second attempt', () => {
  expect(play(1, [answer(timeout)], true).results).toEqual(['timeout'])
  expect(play(1, [busy], true).results).toEqual(['timeout'])
  expect(play(1, [ended], true).results).toEqual(['crash'])
})

test('if a process dies, several items run one by one, and a single one runs once more', () => {
  expect(play(2, [ended, answer(value), ended, ended])).toMatchObject({ results: [1, 'crash'], left: 0 })
})
