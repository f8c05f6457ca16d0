import { expect, test } from 'vitest'
import { UpstreamError } from '../../engine/outbound/upstream-error.ts'
import { type Endpoint, SlowDown } from '../../engine/sources/rpc-pool/endpoint.ts'
import { askAny } from '../../engine/sources/rpc-pool/failover.ts'
import { Health } from '../../engine/sources/rpc-pool/health.ts'
import { Network } from '../../engine/sources/rpc-pool/network.ts'
import type { After } from '../../engine/sources/rpc-pool/second-tries.ts'
import { Failures } from './failures.ts'

type Answer = 'well' | 'limited' | 'failed' | 'hangs'
/** What the node does with a call at this time; `chance` is a fixed series between 0 and 1. */
type NodeScript = (ms: number, chance: number) => Answer

const [answerMs, timeoutMs, blockMs] = [10, 10_000, 1_500]

/** Runs timers in the order of their times, whenever nothing else can go on. */
function makeScriptedClock() {
  const clock = { ms: 0 }
  const timers: { at: number; run: () => void }[] = []
  const after: After = (ms, run) => {
    const timer = { at: clock.ms + ms, run }
    timers.push(timer)
    return () => {
      if (timers.includes(timer)) timers.splice(timers.indexOf(timer), 1)
    }
  }
  const sleep = (ms: number) => new Promise<void>((resolve) => void after(ms, resolve))
  const runUntil = async (endMs: number) => {
    while (clock.ms < endMs) {
      for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve))
      timers.sort((a, b) => a.at - b.at)
      const next = timers.shift()
      clock.ms = next?.at ?? endMs
      next?.run()
    }
  }
  return { clock, after, sleep, runUntil }
}

/**
 * Follows the only node of a source as the follow loop does: the head, then two calls for each block, and a pause after a
 * failure. Returns how late each block was read, counted from the end of an outage if it was made in one.
 */
async function follow(script: NodeScript, endMs: number, outages: readonly [number, number][] = []) {
  const { clock, after, sleep, runUntil } = makeScriptedClock()
  let seed = 7
  const chance = () => {
    seed = (seed * 16_807) % 2_147_483_647
    return seed / 2_147_483_647
  }
  const endpoint: Endpoint = {
    url: 'http://node.example/',
    async request(_method, _params, limitMs) {
      const answer = script(clock.ms, chance())
      await sleep(answer === 'hangs' ? limitMs : answerMs)
      if (answer === 'hangs') throw new UpstreamError('timeout', `did not answer within ${limitMs} ms.`)
      if (answer === 'limited') throw new SlowDown('node.example', undefined)
      if (answer === 'failed') throw new UpstreamError('failed', 'failed with HTTP 500.')
      return Math.floor(clock.ms / blockMs)
    },
    requestLarge: async () => undefined,
    close: async () => undefined,
  }
  const now = () => clock.ms
  const health = new Health(endpoint, { now, onNotice: () => undefined })
  const network = new Network(undefined, now)
  const ask = (method: string) =>
    askAny(
      [health],
      network,
      { method, work: (at) => at.request(method, []) },
      { timeoutMs, now, after, limitWaitMs: 60_000 },
    )
  const failures = new Failures(now)
  const lateMs: number[] = []
  let [next, errors] = [1, 0]
  const readAll = async () => {
    while (clock.ms < endMs)
      try {
        const head = Number(await ask('head'))
        for (; next <= head; next += 1) {
          await ask('logs')
          await ask('receipts')
          const madeAt = next * blockMs
          const dueAt = outages.find(([from, to]) => from <= madeAt && madeAt < to)?.[1] ?? madeAt
          lateMs.push(clock.ms - dueAt)
          failures.end()
        }
        await sleep(200)
      } catch (error) {
        const { isError, retryDelayMs } = failures.record(error)
        errors += Number(isError)
        await sleep(retryDelayMs)
      }
  }
  void readAll()
  await runUntil(endMs)
  return { lateMs: Math.max(...lateMs), blocks: lateMs.length, errors }
}

test('after outages of the only node, a source reads all of its blocks within five seconds of the first good answers', async () => {
  const outages: [number, number][] = [
    [10_000, 30_000],
    [45_000, 65_000],
  ]
  const script: NodeScript = (ms) =>
    ms < 10_000 ? 'well' : ms < 30_000 ? 'limited' : ms < 45_000 ? 'well' : ms < 65_000 ? 'failed' : 'well'
  const { lateMs, blocks } = await follow(script, 90_000, outages)
  expect(blocks).toBe(90_000 / blockMs - 1)
  expect(lateMs).toBeLessThan(5_000)
  const hanging = await follow((ms) => (ms >= 10_000 && ms < 30_000 ? 'hangs' : 'well'), 60_000, [[10_000, 30_000]])
  expect(hanging.lateMs).toBeLessThan(5_000)
})

test.each([
  ['half of the calls fail', (_: number, chance: number) => (chance < 0.5 ? 'failed' : 'well')],
  ['a third of the calls fail', (_: number, chance: number) => (chance < 1 / 3 ? 'failed' : 'well')],
  ['8 of 100 calls hang', (_: number, chance: number) => (chance < 0.08 ? 'hangs' : 'well')],
] as const)(
  'a source whose only node lets %s reads every block within five seconds and is not in error',
  async (_, script) => {
    const { lateMs, blocks, errors } = await follow(script, 300_000)
    expect(blocks).toBeGreaterThanOrEqual(300_000 / blockMs - 3)
    expect(lateMs).toBeLessThan(5_000)
    expect(errors).toBe(0)
  },
)

test('a rate limit is still learned: a node that serves three calls a second is asked about that often', async () => {
  let served: number[] = []
  let [calls, refused] = [0, 0]
  const script: NodeScript = (ms) => {
    served = served.filter((at) => at > ms - 1_000)
    calls += 1
    if (served.length >= 3) {
      refused += 1
      return 'limited'
    }
    served.push(ms)
    return 'well'
  }
  await follow(script, 300_000)
  expect(refused / calls).toBeLessThan(0.1)
})
