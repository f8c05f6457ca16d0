import { durationMs } from '../../../engine/policies/duration-ms.ts'
import {
  makeThrottle,
  marksOf,
  type Throttle,
  type ThrottleCounts,
  type ThrottlePolicy,
  undoThrottle,
} from '../../../engine/policies/throttle.ts'
import type { BlockIncarnation } from '../../../store/alerts/alert-writes.ts'
import type { StoredPolicy } from '../../../store/alerts/policy-states.ts'
import type { Store } from '../../../store/index.ts'
import type { Candidate } from '../fan-out/candidate.ts'
import { nameOf, policyName } from './names.ts'

/** The row of a key from its first suppressed output on. */
export type StoredThrottle = ThrottleCounts & { kind: 'throttle'; triggerId: string }
type ThrottleKey = { policy: ThrottlePolicy; triggerId: string; name: ReturnType<typeof policyName> }
type Span = ThrottleKey & { from: number; until: number }
/** The throttles by the names of their keys. */
export type Throttles = Map<string, ThrottleKey & { throttle: Throttle }>

/** The throttles of the candidates' keys, with the alerts that passed near them. The caller holds the locks of the keys. */
export async function loadThrottles(
  store: Store,
  candidates: readonly Candidate[],
  findUndone: (blocks: BlockIncarnation[]) => Promise<(mark: BlockIncarnation) => boolean>,
): Promise<Throttles> {
  const spans = new Map<string, Span>()
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
      const counts = known && undoThrottle(known, isUndone)
      const isChanged = known !== undefined && marksOf(known).some(isUndone)
      return [name, { ...span, throttle: makeThrottle(span.policy, times, counts, isChanged) }]
    }),
  )
}

/** False for the row of another policy that the listener had before. */
function isThrottle(state: Record<string, unknown>): state is StoredThrottle {
  return state.kind === 'throttle'
}

/** The rows of the throttles whose counts changed. */
export function throttleWrites(throttles: Throttles): StoredPolicy[] {
  return [...throttles.values()].flatMap(({ throttle, name, triggerId }) => {
    const counts = throttle.changed()
    const state: StoredThrottle | undefined = counts && { kind: 'throttle', triggerId, ...counts }
    return state ? [{ ...name, state, dueAt: null }] : []
  })
}
