import { describe, expect, test } from 'vitest'
import type { LiveTrigger } from '../listeners/live-trigger.ts'
import { jobsOf, makeFairness } from './split.ts'

const runnable = { providers: [], activation: null, transform: null, executionPolicy: null }
const definition = {
  backend: {},
  inputs: {},
  triggerSpec: null,
  transform: null,
  activation: null,
  executionPolicy: null,
}
const live = (isOrdered: boolean, source?: string): LiveTrigger => ({
  ...{ id: 'trigger', version: 1, fullname: 'a.p.t', project: 'a.p', projectId: 'p', workspaceId: 'w', title: 't' },
  ...{
    definition,
    runnable: { ...runnable, transform: source === undefined ? null : { language: 'javascript', source } },
    dataSource: 's',
    sources: ['s'],
    isOrdered,
    hasDependents: false,
    listeners: new Map(),
  },
})
const matches = (count: number, listeners = 1) =>
  Array.from({ length: count }, (_, at) => ({
    key: `k${at}`,
    item: {},
    listeners: Array.from({ length: listeners }, (_, each) => `l${each}`),
  }))
const jobs = (isOrdered: boolean, found: ReturnType<typeof matches>, order = 7, source?: string) =>
  jobsOf(
    live(isOrdered, source),
    { source: 's', block: null, nowMs: 0, depth: 0, matches: found },
    { parts: ['s', `h${order}`, 0], order },
  )

describe('chunks', () => {
  test('hold at most 500 items, 100 if each runs a script, and 1,000 listeners, and lose none', () => {
    const many = jobs(false, matches(1_250))
    expect(many.map(({ job }) => job.data.matches.length)).toEqual([500, 500, 250])
    const scripted = jobs(false, matches(250), 7, 'source')
    expect(scripted.map(({ job }) => job.data.matches.length)).toEqual([100, 100, 50])
    const crowded = jobs(false, matches(5, 400))
    expect(crowded.map(({ job }) => job.data.matches.length)).toEqual([2, 2, 1])
    const [first, second, third, ...more] = jobs(false, matches(1, 2_500)).map(({ job }) => job.data.matches)
    expect(more).toEqual([])
    expect([first, second, third].map((chunk) => chunk?.[0]?.listeners.length)).toEqual([1000, 1000, 500])
    expect([first, second, third].map((chunk) => chunk?.[0]?.isRetryFor)).toEqual([undefined, 'listeners', 'listeners'])
  })

  test('have ids made from their cause, so a repeat makes the same jobs', () => {
    const ids = (found = matches(1_250)) => jobs(false, found).map(({ job }) => job.id)
    expect(ids()).toEqual(ids())
    expect(new Set(ids()).size).toBe(3)
    expect(ids()[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/)
  })

  test('of a trigger with a state window are one for each cause, and their ids are in the order of their causes', () => {
    const orders = [1, 2, 9, 10, 255, 256, 18_000_000, 4_000_000_000]
    const all = orders.flatMap((order) => jobs(true, matches(250), order))
    expect(all).toHaveLength(orders.length)
    expect(all.every(({ queue, job }) => queue === 'evaluate-ordered' && job.key === 'trigger')).toBe(true)
    const ids = all.map(({ job }) => job.id ?? '')
    expect([...ids].sort()).toEqual(ids)
  })
})

describe('fairness', () => {
  test('gives a workspace that causes much work a lower priority, for at most two minutes', () => {
    let now = 0
    const fairness = makeFairness(() => now)
    expect(fairness.take('noisy', 1)).toBe(0)
    for (let at = 0; at < 1_000; at += 1) fairness.take('noisy', 1)
    expect(fairness.take('noisy', 1)).toBe(-9)
    expect(fairness.take('quiet', 1)).toBe(0)
    now = 90_000
    expect(fairness.take('noisy', 1)).toBeGreaterThan(-9 - 1)
    now = 300_000
    expect(fairness.take('noisy', 1)).toBe(0)
  })
})
