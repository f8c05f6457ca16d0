import fc from 'fast-check'
import { expect, test } from 'vitest'
import { makeThrottle, type ThrottleCounts, undoThrottle } from './throttle.ts'

const policyOf = (per: string) => ({ type: 'throttle' as const, per })

test('no two alerts pass closer than the period, and no other alert is refused', () => {
  const times = fc.array(fc.nat(200), { maxLength: 60 })
  fc.assert(
    fc.property(times, fc.integer({ min: 1, max: 50 }), (times, perMs) => {
      const throttle = makeThrottle(policyOf(`${perMs}s`), [], undefined)
      const passed: number[] = []
      for (const [index, atMs] of times.entries()) {
        const isFree = passed.every((other) => Math.abs(other - atMs) >= perMs)
        expect(throttle.mayPass(atMs * 1000, String(index))).toBe(isFree)
        if (!isFree) continue
        throttle.pass(atMs * 1000, String(index), null)
        passed.push(atMs)
      }
    }),
  )
})

test('the same alert passes again', () => {
  const throttle = makeThrottle(policyOf('10s'), [{ id: 'a', atMs: 100 }], undefined)
  expect(throttle.mayPass(100, 'a')).toBe(true)
  expect(throttle.mayPass(100, 'b')).toBe(false)
})

test('the next alert says how many outputs were left out before it, without those of undone blocks', () => {
  const mark = { source: 's', hash: '0x1', incarnation: 0 }
  const first = makeThrottle(policyOf('10s'), [{ id: 'a', atMs: 1_000 }], undefined)
  for (const at of [2_000, 3_000]) first.suppress(at, mark)
  first.suppress(4_000, null)
  expect(first.changed()).toMatchObject({
    sinceMs: 1_000,
    suppressed: [
      { mark, count: 2 },
      { mark: null, count: 1 },
    ],
  })
  const stored = { sinceMs: 1_000, suppressed: [{ mark: null, count: 1 }] }
  const next = makeThrottle(policyOf('10s'), [], stored)
  expect(next.pass(11_000, 'b', null)).toEqual({
    ...{ type: 'throttle', within: '10s', since: '1970-01-01T00:00:01.000Z', suppressed: 1 },
  })
  expect(next.pass(21_000, 'c', null)).toMatchObject({ since: '1970-01-01T00:00:21.000Z', suppressed: 0 })
})

test('a reorg that takes an alert back gives back what it counted, and each output left out is counted once', () => {
  const output = fc.record({
    afterMs: fc.integer({ min: 1, max: 6_000 }),
    newBlock: fc.boolean(),
    undo: fc.option(fc.integer({ min: 1, max: 4 }), { freq: 5 }),
  })
  fc.assert(
    fc.property(fc.array(output, { maxLength: 60 }), (outputs) => {
      type Happened = { atMs: number; id: string; block: number; suppressed: number | null }
      let happened: Happened[] = []
      const undone = new Set<string>()
      const markOf = (block: number) => ({ source: 's', hash: `0x${block}`, incarnation: 0 })
      let [stored, atMs, block]: [ThrottleCounts | undefined, number, number] = [undefined, 0, 1]
      for (const [index, { afterMs, newBlock, undo }] of outputs.entries()) {
        atMs += afterMs
        if (newBlock || undo !== null) block += 1
        if (undo !== null) {
          const from = Math.max(1, block - undo)
          for (let each = from; each < block; each++) undone.add(markOf(each).hash)
          happened = happened.filter((each) => each.block < from)
        }
        const alerts = happened.filter(({ suppressed }) => suppressed !== null)
        const counts = stored && undoThrottle(stored, ({ hash }) => undone.has(hash))
        const throttle = makeThrottle(policyOf('10s'), alerts, counts)
        const id = String(index)
        const left = happened.length - 1 - happened.findLastIndex(({ suppressed }) => suppressed !== null)
        const passes = throttle.mayPass(atMs, id)
        if (passes) expect(throttle.pass(atMs, id, markOf(block)).suppressed).toBe(left)
        else throttle.suppress(atMs, markOf(block))
        happened.push({ atMs, id, block, suppressed: passes ? left : null })
        stored = throttle.changed() ?? stored
      }
    }),
  )
})

test('a repeated evaluation of an alert takes no counts from the next one', () => {
  const stored = { sinceMs: 1_000, suppressed: [{ mark: null, count: 2 }] }
  const throttle = makeThrottle(policyOf('10s'), [{ id: 'a', atMs: 1_000 }], stored)
  throttle.pass(1_000, 'a', null)
  expect(throttle.changed()).toBeUndefined()
  expect(throttle.pass(11_000, 'b', null)).toMatchObject({ suppressed: 2 })
})
