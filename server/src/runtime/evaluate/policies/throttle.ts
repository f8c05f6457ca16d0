import type { AlertPolicy, Policy } from '@tocsin/contract'
import { type BlockIncarnation, incarnationKey } from '../../../store/alerts/alert-writes.ts'
import type { StoredPolicy } from '../../../store/alerts/policy-states.ts'
import type { Store } from '../../../store/index.ts'
import type { Candidate } from '../fan-out/candidate.ts'
import { throttlePolicy } from './alert-policy.ts'
import { durationMs, nameOf, policyName } from './names.ts'

type ThrottlePolicy = Extract<Policy, { type: 'throttle' }>
type Passed = { id: string; atMs: number }
/** Outputs of one block that made no alert. */
type Suppressed = { mark: BlockIncarnation | null; count: number }
/** The row of a key while outputs were suppressed since the alert at `sinceMs`. */
export type StoredThrottle = { kind: 'throttle'; triggerId: string; sinceMs: number; suppressed: Suppressed[] }

/**
 * Keeps the alerts of one key at least one period apart, in whatever order their items are processed, and counts the outputs
 * in between. The alerts that passed are in the store; only the counts need a row.
 */
export type Throttle = {
  mayPass(atMs: number, id: string): boolean
  /** Returns what the alert says of the throttle. */
  pass(atMs: number, id: string): AlertPolicy
  suppress(atMs: number, mark: BlockIncarnation | null): void
  /** The row to save, if the counts changed. */
  changed(): StoredPolicy[]
}

/** Counts of blocks that a reorg may still undo are kept apart, for at most so many blocks. */
const marksMax = 64

type ThrottleKey = { policy: ThrottlePolicy; triggerId: string; name: ReturnType<typeof policyName> }

export function makeThrottle(
  { policy, triggerId, name }: ThrottleKey,
  earlier: readonly Passed[],
  stored: Pick<StoredThrottle, 'sinceMs' | 'suppressed'> | undefined,
): Throttle {
  const perMs = durationMs(policy.per)
  const passed = [...earlier]
  let [sinceMs, suppressed] = [stored?.sinceMs, stored?.suppressed ?? []]
  let isChanged = false
  const isNear = (alert: Passed, atMs: number) => Math.abs(alert.atMs - atMs) < perMs
  return {
    // A repeated evaluation makes the same alert again, which must pass.
    mayPass: (atMs, id) => passed.every((alert) => alert.id === id || !isNear(alert, atMs)),
    pass(atMs, id) {
      const count = suppressed.reduce((sum, each) => sum + each.count, 0)
      const decided = throttlePolicy(policy, count > 0 ? (sinceMs ?? atMs) : atMs, count)
      isChanged ||= count > 0
      suppressed = []
      sinceMs = undefined
      passed.push({ id, atMs })
      return decided
    },
    suppress(atMs, mark) {
      sinceMs ??= passed.find((alert) => isNear(alert, atMs))?.atMs ?? atMs
      suppressed = withOneMore(suppressed, mark)
      isChanged = true
    },
    changed() {
      if (!isChanged) return []
      const state: StoredThrottle = { kind: 'throttle', triggerId, sinceMs: sinceMs ?? 0, suppressed }
      return [{ ...name, state, dueAt: null }]
    },
  }
}

function withOneMore(suppressed: readonly Suppressed[], mark: BlockIncarnation | null): Suppressed[] {
  const last = suppressed.at(-1)
  if (last && keyOf(last.mark) === keyOf(mark)) return [...suppressed.slice(0, -1), { mark, count: last.count + 1 }]
  const next = [...suppressed, { mark, count: 1 }]
  const [first, second, ...rest] = next
  if (next.length <= marksMax || !first || !second) return next
  return [{ mark: null, count: first.count + second.count }, ...rest]
}

function keyOf(mark: BlockIncarnation | null): string {
  return mark === null ? '' : incarnationKey(mark)
}

/** The throttles of the candidates' keys, with the alerts that passed near them. The caller holds the locks of the keys. */
export async function loadThrottles(
  store: Store,
  candidates: readonly Candidate[],
  findUndone: (blocks: BlockIncarnation[]) => Promise<(mark: BlockIncarnation) => boolean>,
): Promise<Map<string, Throttle>> {
  const spans = new Map<string, ThrottleKey & { from: number; until: number }>()
  for (const candidate of candidates) {
    const { policy, triggerId } = candidate.listener
    if (policy?.type !== 'throttle') continue
    const [name, at] = [policyName(candidate), candidate.itemAtMs]
    const span = spans.get(nameOf(name)) ?? { policy, triggerId, name, from: at, until: at }
    spans.set(nameOf(name), { ...span, from: Math.min(span.from, at), until: Math.max(span.until, at) })
  }
  if (spans.size === 0) return new Map()
  const ranges = [...spans.values()].map(({ name, policy, from, until }) => {
    const perMs = durationMs(policy.per)
    return { ...name, from: new Date(from - perMs), until: new Date(until + perMs) }
  })
  const passed = Map.groupBy(await store.alertWrites.listThrottled(ranges), nameOf)
  const rows = await store.policyStates.findAll(ranges)
  const stored = new Map(rows.flatMap((row) => (isThrottle(row.state) ? [[nameOf(row), row.state] as const] : [])))
  const isUndone = await findUndone([...stored.values()].flatMap(marksOf))
  return new Map(
    [...spans].map(([name, span]) => {
      const times = (passed.get(name) ?? []).map(({ id, at }) => ({ id, atMs: at.getTime() }))
      const known = stored.get(name)
      const kept = known?.suppressed.filter(({ mark }) => mark === null || !isUndone(mark)) ?? []
      return [name, makeThrottle(span, times, known && { sinceMs: known.sinceMs, suppressed: kept })]
    }),
  )
}

/** False for the row of another policy that the listener had before. */
function isThrottle(state: Record<string, unknown>): state is StoredThrottle {
  return state.kind === 'throttle'
}

function marksOf({ suppressed }: StoredThrottle): BlockIncarnation[] {
  return suppressed.flatMap(({ mark }) => mark ?? [])
}
