/** Steps the state of one key of a policy, as the loop does, and compares it with a plain computation over all outputs. */
import type { Policy, StatePolicy } from '@tocsin/contract'
import fc from 'fast-check'
import { expect } from 'vitest'
import { emptyState, type KeyState, type NewOutput, settleBlocks } from '../../server/src/engine/policies/key-state.ts'
import { readByClock } from '../../server/src/engine/policies/read-to.ts'
import { rulesOf } from '../../server/src/engine/policies/state-policies.ts'

/** What a warm-up keeps of an output. */
export type KeySeed = { id: string }

/** Times are in seconds. An output is at `at` and in the block `block`, if it has one. */
export type Output = { at: number; value?: unknown; block?: string }

export function run(policy: Policy, outputs: readonly Output[], { until }: { until?: number } = {}): string[] {
  const told: string[] = []
  let state = emptyState<KeySeed>()
  for (const output of outputs) state = stepOn(policy, state, output, told)
  if (until !== undefined) passUntil(policy, state, until, told)
  return told
}

export function machine(policy: Policy) {
  const made = rulesOf(policy as StatePolicy).machine
  if (!made) throw new Error('the policy has no machine')
  return made
}

const markOf = (block: string | undefined) =>
  block === undefined ? null : { source: 's', hash: block, incarnation: 0 }

export function stepOn(policy: Policy, state: KeyState<KeySeed>, { at, value, block }: Output, told: string[]) {
  const output: NewOutput<KeySeed> = {
    ...{ atMs: at * 1000, seenMs: at * 1000, value, mark: markOf(block), id: `o${at}` },
    seed: () => ({ id: `o${at}` }),
    absenceId: ({ atMs }) => `a${atMs / 1000}`,
  }
  const step = machine(policy).step(state, output)
  tell(step.events, told)
  // A state is stored as JSON between two outputs, as by a process that restarts.
  return JSON.parse(JSON.stringify(step.state)) as KeyState<KeySeed>
}

/** Lets the timers fire in their order until this time. */
export function passUntil(policy: Policy, from: KeyState<KeySeed>, until: number, told: string[]): KeyState<KeySeed> {
  let state = from
  for (;;) {
    const dueMs = machine(policy).dueMs(state)
    if (dueMs === null || dueMs > until * 1000) return state
    const step = machine(policy).passTime(state, readByClock(dueMs), ({ atMs }) => `a${atMs / 1000}`)
    expect(step.state).not.toBe(state)
    tell(step.events, told)
    state = JSON.parse(JSON.stringify(step.state))
  }
}

function tell(events: ReturnType<ReturnType<typeof machine>['step']>['events'], told: string[]): void {
  for (const event of events) {
    if (event.kind === 'fired') told.push(`fired ${event.id} at ${event.atMs / 1000}`)
    else if (event.kind === 'resolved') told.push(`resolved ${event.firing.id} at ${event.atMs / 1000}`)
    else if (event.kind === 'repeated') told.push(`repeated ${event.id} ${event.repeat}`)
    else told.push(event.kind)
  }
}

export const values = (...list: unknown[]): Output[] => list.map((value, index) => ({ at: index * 10, value }))

/** An output in a block of its own; a reorg undoes some of the blocks before the next one comes. */
export type Happened = { at: number; value: number; isUndone: boolean }

/** What must be told in the end, by plain loops over all outputs. */
export type Oracle = (happened: readonly Happened[], end: number) => string[]
/** True if the output at this time itself caused it: the undo of its block retracts such alerts. Time causes the others. */
export type IsOfBlock = (step: string, at: number) => boolean
type Example = [{ gap: number; value: number; isUndone: boolean }[], number]

/** Also after reorgs and restarts. */
export function expectAsOracle(
  policy: StatePolicy,
  oracle: Oracle,
  isOfBlock: IsOfBlock,
  examples: Example[] = [],
): void {
  const item = fc.record({ gap: fc.integer({ min: 1, max: 30 }), value: fc.nat(100), isUndone: fc.boolean() })
  const property = fc.property(fc.array(item, { maxLength: 30 }), fc.nat(60), (list, rest) => {
    let at = 0
    const happened = list.map(({ gap, ...one }) => {
      at += gap
      return { at, ...one }
    })
    const told: string[] = []
    let state = emptyState<KeySeed>()
    for (const one of happened) {
      const steps: string[] = []
      state = stepOn(policy, state, { ...one, block: `b${one.at}` }, steps)
      if (one.isUndone)
        state = settleBlocks(
          state,
          ({ hash }) => hash === `b${one.at}`,
          () => false,
        )
      told.push(...steps.filter((step) => !one.isUndone || !isOfBlock(step, one.at)))
    }
    const end = at + rest
    passUntil(policy, state, end, told)
    expect(told).toEqual(oracle(happened, end))
  })
  fc.assert(property, { numRuns: 500, examples })
}
