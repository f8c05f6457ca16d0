import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type MonitorState, standby, stepMonitor, undoMonitor } from './monitor.ts'

type Item = { atMs: number; isMet: boolean }

/** Items in the order of their time, given as gaps between them. */
const items = fc.array(fc.record({ gap: fc.nat(40), isMet: fc.boolean() }), { maxLength: 60 }).map((list) => {
  let atMs = 1_000
  return list.map(({ gap, isMet }): Item => {
    atMs += gap
    return { atMs, isMet }
  })
})
const lengths = fc.record({ forMs: fc.nat(60), cooldownMs: fc.nat(60) })

/** A model that steps second by second and follows the definition of the policy literally. */
function model(list: readonly Item[], { forMs, cooldownMs }: { forMs: number; cooldownMs: number }): number[] {
  const fired: number[] = []
  let [warmSince, seed, coolUntil] = [-1, -1, -1]
  const tick = (now: number) => {
    if (warmSince >= 0 && now >= warmSince + forMs) {
      fired.push(seed)
      coolUntil = warmSince + forMs + cooldownMs
      warmSince = -1
    }
    if (coolUntil >= 0 && now >= coolUntil) coolUntil = -1
  }
  let now = 0
  for (const [index, { atMs, isMet }] of list.entries()) {
    for (; now < atMs; now++) tick(now)
    tick(atMs)
    if (!isMet) warmSince = -1
    else if (warmSince < 0 && coolUntil < 0) {
      ;[warmSince, seed] = [atMs, index]
      tick(atMs)
    }
  }
  return fired
}

function play(list: readonly Item[], lengths: { forMs: number; cooldownMs: number }) {
  let state: MonitorState<number> = standby()
  const fired: number[] = []
  for (const [index, { atMs, isMet }] of list.entries()) {
    const mark = { source: 's', hash: String(index), incarnation: 0 }
    const step = stepMonitor(state, { atMs, seed: isMet ? index : null, mark }, lengths)
    state = JSON.parse(JSON.stringify(step.state))
    fired.push(...step.fired)
  }
  return { state, fired }
}

test('fires as the model does, for random items', () => {
  fc.assert(
    fc.property(items, lengths, (list, lengths) => {
      expect(play(list, lengths).fired).toEqual(model(list, lengths))
    }),
  )
})

test('an undo restores the state before the undone blocks', () => {
  fc.assert(
    fc.property(items, lengths, fc.nat(60), (list, lengths, depth) => {
      const kept = list.slice(0, Math.max(0, list.length - depth))
      const undone = new Set(list.map((_, index) => String(index)).slice(kept.length))
      const back = undoMonitor(play(list, lengths).state, ({ hash }) => undone.has(hash))
      expect(back.now).toEqual(play(kept, lengths).state.now)
    }),
  )
})

test('an undo restores the state also if each block makes several changes', () => {
  const list = Array.from({ length: 40 }, (_, index) => ({ atMs: 1_000 + index, isMet: true }))
  const lengths = { forMs: 0, cooldownMs: 1 }
  const back = undoMonitor(play(list, lengths).state, ({ hash }) => Number(hash) >= 2)
  expect(back.now).toEqual(play(list.slice(0, 2), lengths).state.now)
})
