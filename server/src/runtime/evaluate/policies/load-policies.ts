import { type BlockIncarnation, incarnationKey } from '../../../store/alerts/alert-writes.ts'
import type { StoredPolicy } from '../../../store/alerts/policy-states.ts'
import type { Store } from '../../../store/index.ts'
import type { Candidate } from '../fan-out/candidate.ts'
import type { Seed } from './alert-to-record.ts'
import { type Digests, loadDigests, type StoredDigest } from './digest.ts'
import { type MonitorState, marksOf, standby, undoMonitor } from './monitor.ts'
import { deliveryName, nameOf, policyLock, policyName } from './names.ts'
import { loadThrottles, type Throttle } from './throttle.ts'

export type StoredMonitor = { kind: 'monitor'; triggerId: string; monitor: MonitorState<Seed> }

/** `due`: the timer of the current warm-up. The monitor schedules one timer when its warm-up starts, and no other. */
export type LoadedMonitor = { state: MonitorState<Seed>; due: { seedId: string; at: Date } | null }

/** The policy states of some candidates' keys. They are valid only while the caller holds the locks of these keys. */
export type LoadedPolicies = {
  throttles: Map<string, Throttle>
  /** The id of the alert that was sent for each key of a delivery mode. */
  delivered: Map<string, string>
  monitors: Map<string, LoadedMonitor>
  digests: Digests
}

/** Locks the keys of the candidates and loads their states, so that two evaluations never both find a key free. */
export async function loadPolicies(store: Store, candidates: readonly Candidate[]): Promise<LoadedPolicies> {
  const keyed = candidates.filter(
    ({ listener, deliveryKey }) => hasState(listener.policy?.type) || deliveryKey !== null,
  )
  await store.alertWrites.lockKeys(keyed.flatMap(locksOf))
  const of = (type: string) => keyed.filter(({ listener }) => listener.policy?.type === type)
  const monitors = await loadMonitors(store, of('monitor'))
  return {
    throttles: await loadThrottles(store, of('throttle'), (blocks) => findUndone(store, blocks)),
    delivered: await loadDelivered(store, keyed, monitors),
    monitors,
    digests: await loadDigests(store, of('digest')),
  }
}

function hasState(type: string | undefined): boolean {
  return type === 'throttle' || type === 'monitor' || type === 'digest'
}

/** A monitor may fire for an earlier item with another delivery key, so it locks all delivery keys of its listener. */
function locksOf(candidate: Candidate): string[] {
  const { listener, deliveryKey } = candidate
  const isMonitor = listener.policy?.type === 'monitor'
  const policy = hasState(listener.policy?.type) ? [policyLock(policyName(candidate))] : []
  const delivery =
    deliveryKey === null ? [] : [`delivery ${isMonitor ? listener.key : nameOf(deliveryName(listener, deliveryKey))}`]
  return [...policy, ...delivery]
}

async function loadDelivered(
  store: Store,
  candidates: readonly Candidate[],
  monitors: LoadedPolicies['monitors'],
): Promise<LoadedPolicies['delivered']> {
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
  const delivered = await store.alertWrites.listDelivered([...names.values()])
  return new Map(delivered.map(({ id, ...name }) => [nameOf(name), id]))
}

async function loadMonitors(store: Store, candidates: readonly Candidate[]): Promise<LoadedPolicies['monitors']> {
  const names = new Map(candidates.map((candidate) => [nameOf(policyName(candidate)), policyName(candidate)]))
  const stored = await store.policyStates.findAll([...names.values()])
  const monitors: LoadedPolicies['monitors'] = new Map(
    [...names.keys()].map((name) => [name, { state: standby(), due: null }]),
  )
  for (const row of stored) {
    const monitor = readMonitor(row)
    if (monitor) monitors.set(nameOf(row), monitor)
  }
  const blocks = [...monitors.values()].flatMap(({ state }) => marksOf(state))
  const isUndone = await findUndone(store, blocks)
  for (const monitor of monitors.values()) monitor.state = undoMonitor(monitor.state, isUndone)
  return monitors
}

/** Undefined if the row belongs to another policy that the listener had before. */
export function readMonitor({ state, dueAt }: StoredPolicy): LoadedMonitor | undefined {
  const stored = state as StoredMonitor | StoredDigest
  if (stored.kind !== 'monitor') return undefined
  const { now } = stored.monitor
  const due = now.phase === 'warmup' && dueAt ? { seedId: now.seed.alert.id, at: dueAt } : null
  return { state: stored.monitor, due }
}

/** Each use of a monitor checks its blocks, so that the undo of a reorg need not know monitors. */
export async function findUndone(
  store: Store,
  blocks: BlockIncarnation[],
): Promise<(mark: BlockIncarnation) => boolean> {
  if (blocks.length === 0) return () => false
  const { undone } = await store.alertWrites.lockRows({ subscriptions: [], triggers: [], resources: [], blocks })
  return (mark) => undone.has(incarnationKey(mark))
}
