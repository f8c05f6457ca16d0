import { type BlockMark, markOf } from '../../../store/alerts/alert-writes.ts'
import type { StoredPolicy } from '../../../store/alerts/policy-states.ts'
import type { Store } from '../../../store/index.ts'
import type { Candidate, DraftAlert } from '../fan-out/candidate.ts'
import { type MonitorState, marksOf, standby, takeBackMonitor } from './monitor.ts'
import { deliveryName, digestKey, durationMs, nameOf, policyLock, policyName } from './names.ts'
import { makeThrottle, type Throttle } from './throttle.ts'

/** What a monitor fires: the alert of the item that started it. */
export type Seed = { alert: DraftAlert; deliveryKey: string | null }
export type StoredMonitor = { kind: 'monitor'; triggerId: string; monitor: MonitorState<Seed> }
export type StoredDigest = { kind: 'digest'; triggerId: string }

/** When a warm-up ends by the clock on the wall is said once, when it begins. */
export type KeptMonitor = { state: MonitorState<Seed>; due: { seedId: string; at: Date } | null }

/** What stands now for the keys of some candidates. Only who holds their locks may rely on it. */
export type Memory = {
  throttles: Map<string, Throttle>
  /** Keys of delivery modes → the alert that was made for it. */
  delivered: Map<string, string>
  monitors: Map<string, KeptMonitor>
  digests: Map<string, { isOpen: boolean; count: number }>
}

/** Two evaluations at the same moment never both find a key free. */
export async function remember(store: Store, candidates: readonly Candidate[]): Promise<Memory> {
  const keyed = candidates.filter(({ listener, deliveryKey }) => decides(listener.policy?.type) || deliveryKey !== null)
  await store.alertWrites.lockKeys(keyed.flatMap(locksOf))
  const of = (type: string) => keyed.filter(({ listener }) => listener.policy?.type === type)
  const monitors = await rememberMonitors(store, of('monitor'))
  return {
    throttles: await rememberThrottles(store, of('throttle')),
    delivered: await rememberDelivered(store, keyed, monitors),
    monitors,
    digests: await rememberDigests(store, of('digest')),
  }
}

function decides(type: string | undefined): boolean {
  return type === 'throttle' || type === 'monitor' || type === 'digest'
}

/** A monitor may fire for an earlier item, whose delivery key is another: it locks the listener's deliveries as a whole. */
function locksOf(candidate: Candidate): string[] {
  const { listener, deliveryKey } = candidate
  const isMonitor = listener.policy?.type === 'monitor'
  const policy = decides(listener.policy?.type) ? [policyLock(policyName(candidate))] : []
  const delivery =
    deliveryKey === null ? [] : [`delivery ${isMonitor ? listener.key : nameOf(deliveryName(listener, deliveryKey))}`]
  return [...policy, ...delivery]
}

async function rememberThrottles(store: Store, candidates: readonly Candidate[]): Promise<Memory['throttles']> {
  const spans = new Map<string, { perMs: number; from: number; until: number; name: ReturnType<typeof policyName> }>()
  for (const candidate of candidates) {
    const { policy } = candidate.listener
    if (policy?.type !== 'throttle') continue
    const [name, perMs, at] = [policyName(candidate), durationMs(policy.per), candidate.itemAtMs]
    const span = spans.get(nameOf(name)) ?? { perMs, from: at, until: at, name }
    spans.set(nameOf(name), { ...span, from: Math.min(span.from, at), until: Math.max(span.until, at) })
  }
  const stood = await store.alertWrites.listThrottled(
    [...spans.values()].map(({ name, perMs, from, until }) => ({
      ...name,
      from: new Date(from - perMs),
      until: new Date(until + perMs),
    })),
  )
  const byName = Map.groupBy(stood, nameOf)
  return new Map(
    [...spans].map(([name, { perMs }]) => {
      const times = (byName.get(name) ?? []).map(({ id, at }) => ({ id, atMs: at.getTime() }))
      return [name, makeThrottle(perMs, times)]
    }),
  )
}

async function rememberDelivered(
  store: Store,
  candidates: readonly Candidate[],
  monitors: Memory['monitors'],
): Promise<Memory['delivered']> {
  const names = new Map<string, ReturnType<typeof deliveryName>>()
  for (const candidate of candidates) {
    const { listener, deliveryKey } = candidate
    const waiting = monitors.get(nameOf(policyName(candidate)))?.state.now
    for (const key of [deliveryKey, waiting?.phase === 'warmup' ? waiting.seed.deliveryKey : null]) {
      if (key === null) continue
      const name = deliveryName(listener, key)
      names.set(nameOf(name), name)
    }
  }
  const found = await store.alertWrites.listDelivered([...names.values()])
  return new Map(found.map(({ id, ...name }) => [nameOf(name), id]))
}

async function rememberMonitors(store: Store, candidates: readonly Candidate[]): Promise<Memory['monitors']> {
  const names = new Map(candidates.map((candidate) => [nameOf(policyName(candidate)), policyName(candidate)]))
  const stored = await store.policyStates.findAll([...names.values()])
  const monitors: Memory['monitors'] = new Map([...names.keys()].map((name) => [name, { state: standby(), due: null }]))
  for (const row of stored) {
    const kept = readMonitor(row)
    if (kept) monitors.set(nameOf(row), kept)
  }
  const blocks = [...monitors.values()].flatMap(({ state }) => marksOf(state))
  const isUndone = await findUndone(store, blocks)
  for (const kept of monitors.values()) kept.state = takeBackMonitor(kept.state, isUndone)
  return monitors
}

/** Undefined for what another policy of the same listener left. */
export function readMonitor({ state, dueAt }: StoredPolicy): KeptMonitor | undefined {
  const kept = state as StoredMonitor | StoredDigest
  if (kept.kind !== 'monitor') return undefined
  const { now } = kept.monitor
  const due = now.phase === 'warmup' && dueAt ? { seedId: now.seed.alert.id, at: dueAt } : null
  return { state: kept.monitor, due }
}

/** Looked at whenever a monitor is, so that a reorganisation need not know of monitors. */
export async function findUndone(store: Store, blocks: BlockMark[]): Promise<(mark: BlockMark) => boolean> {
  if (blocks.length === 0) return () => false
  const { undone } = await store.alertWrites.hold({ subscriptions: [], triggers: [], resources: [], blocks })
  return (mark) => undone.has(markOf(mark))
}

async function rememberDigests(store: Store, candidates: readonly Candidate[]): Promise<Memory['digests']> {
  const names = new Map(
    candidates.map(({ listener }) => [listener.key, { ...deliveryName(listener, digestKey), listener: listener.key }]),
  )
  const listeners = [...names.values()]
  const open = new Set((await store.policyStates.findAll(listeners)).map(nameOf))
  const counts = await store.alertWrites.countCollected(listeners)
  const countOf = new Map(counts.map((one) => [nameOf({ ...one, key: digestKey }), one.count]))
  return new Map(
    listeners.map((name) => [name.listener, { isOpen: open.has(nameOf(name)), count: countOf.get(nameOf(name)) ?? 0 }]),
  )
}
